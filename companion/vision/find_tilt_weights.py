"""Weights of `find_tilt`, fitted by `companion.evaluation.tilt_fit` to rendered and made tables."""

WEIGHTS = (
    0.91611,  # first
    6.6224,  # top
    2.1864,  # sides
    4.306,  # floor
    3.7732,  # level_off_centre
    1.9385,  # level_uneven
    -1.8333,  # tilted_off_centre
    -2.9832,  # tilted_uneven
    0.55048,  # clear
)
BIAS = -0.73311
