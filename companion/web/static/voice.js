// Speech and sounds on this phone, each off until switched on: what happened is told once, by the browser's own voice.
import { button, h } from "./dom.js";
import { shownLanguage, t } from "./words.js";

const keyOf = (name) => `next.${name}`; // where this phone remembers it
const LONGEST_QUEUE = 3; // where more waits to be said, the oldest is left out: people want to know what is now
/** Tones as [frequency in Hz, start in s]; a fifth up for a card, down for a doubt. */
const TUNES = { taken: [[523, 0], [784, 0.12]], turn: [[659, 0]], doubt: [[440, 0], [330, 0.15]] };
const TONE_S = 0.16;

export class Voice {
  constructor() {
    this.on = { speech: kept("speech"), sound: kept("sound") };
    this.audio = null;
    this.waiting = 0;
  }

  get canSpeak() {
    return "speechSynthesis" in window;
  }

  /** Switches speech or sound; the tap that does so also lets the browser play. */
  set(name, on) {
    this.on[name] = on;
    keep(name, on);
    if (name === "speech") {
      if (on) this.say(t("voice.speech_on"));
      else window.speechSynthesis?.cancel();
    } else if (on) {
      this.play("taken");
    }
  }

  /** Tells what is new between two snapshots; `sentences` are the facts that nobody heard yet. */
  follow(before, after, sentences) {
    if (!before) return;
    const seat = after.game?.seat ?? null;
    const turned = seat !== null && (before.game?.seat !== seat || before.game.id !== after.game.id) && after.phase !== "over";
    if (this.on.speech) {
      sentences.forEach((sentence) => this.say(sentence));
      if (turned) this.say(t("title.turn", { name: after.game.players[seat].name }).replace(/ – .*/, ""));
    }
    if (this.on.sound) {
      if (after.phase === "doubt" && before.phase !== "doubt") this.play("doubt");
      else if (cardsOf(after) > cardsOf(before)) this.play("taken");
      else if (turned) this.play("turn");
    }
  }

  say(text) {
    if (!this.canSpeak) return;
    if (this.waiting >= LONGEST_QUEUE) {
      window.speechSynthesis.cancel();
      this.waiting = 0;
    }
    const said = new SpeechSynthesisUtterance(text);
    said.lang = shownLanguage();
    this.waiting += 1;
    const done = () => { this.waiting = Math.max(0, this.waiting - 1); };
    said.addEventListener("end", done);
    said.addEventListener("error", done);
    window.speechSynthesis.speak(said);
  }

  play(tune) {
    const Audio = window.AudioContext ?? window.webkitAudioContext;
    if (!Audio) return;
    this.audio ??= new Audio();
    this.audio.resume();
    for (const [pitch, start] of TUNES[tune]) {
      const at = this.audio.currentTime + start;
      const loud = this.audio.createGain();
      loud.gain.setValueAtTime(0.0001, at);
      loud.gain.exponentialRampToValueAtTime(0.25, at + 0.01);
      loud.gain.exponentialRampToValueAtTime(0.0001, at + TONE_S);
      const tone = this.audio.createOscillator();
      tone.frequency.value = pitch;
      tone.connect(loud).connect(this.audio.destination);
      tone.start(at);
      tone.stop(at + TONE_S);
    }
  }
}

/** The two switches, for the menu. */
export function voiceSwitches(voice, redraw) {
  const names = voice.canSpeak ? ["speech", "sound"] : ["sound"];
  return [h("h3", {}, t("voice.label")), h("p", { class: "fine" }, t("voice.is")),
    h("div", { class: "row" }, names.map((name) => {
      const on = voice.on[name];
      return button([t(`voice.${name}`), " – ", t(on ? "coach.on" : "coach.off")], () => {
        voice.set(name, !on);
        redraw();
      }, { look: on ? "chosen" : "", role: "switch", "aria-checked": String(on), focus: `voice-${name}` });
    }))];
}

function cardsOf({ game }) {
  return (game?.players ?? []).reduce((sum, { cards }) => sum + cards, 0);
}

function kept(name) {
  try {
    return localStorage.getItem(keyOf(name)) === "on";
  } catch {
    return false; // storage switched off: it is on until the page is closed
  }
}

function keep(name, on) {
  try {
    localStorage.setItem(keyOf(name), on ? "on" : "off");
  } catch {
    // Storage switched off: nothing is kept, and nothing else is lost.
  }
}
