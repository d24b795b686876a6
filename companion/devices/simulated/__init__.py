"""A simulated table: scene, light and camera, drawn so that its pictures are read like real ones."""
