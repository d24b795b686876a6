"""Weights of `find_tilt`, fitted by `companion.evaluation.tilt_fit` to rendered and made tables."""

WEIGHTS = (
    0.98183,  # first
    6.1945,  # top
    1.7605,  # sides
    3.8205,  # floor
    3.77,  # level_off_centre
    1.7362,  # level_uneven
    -1.9937,  # tilted_off_centre
    -2.6557,  # tilted_uneven
    0.5046,  # clear
)
BIAS = -1.0486
