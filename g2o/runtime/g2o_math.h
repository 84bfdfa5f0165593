/* What derivatives of functions of math.h need that is not in it. */
#ifndef G2O_MATH_H
#define G2O_MATH_H

#include <math.h>

/* The derivative of lgamma: a few units in the last place for x > 0, near its zero there, too (a
 * Taylor series of Hurwitz's zeta function); for negative x by reflection.
 * Abramowitz and Stegun, 6.3.5, 6.3.7 and 6.3.18. */
static inline double g2o_digamma(double x)
{
    const double pi = 3.14159265358979323846;
    const double zero = 1.4616321449683622, rest = 9.549995429965697e-17; /* its zero is their sum */
    const double taylor[] = {
        0.9676722454476212, -0.4427631689835921, 0.258499760955651,
        -0.16394270544240652, 0.10782405069126237, -0.07219956125645471,
        0.04880428816414311, -0.03316112647484736, 0.022597648232218104,
        -0.01542476590494896, 0.010538791616612175, -0.007204534386356869,
        0.004926781395729853, -0.003369801655439328, 0.002305126326734928,
        -0.0015769367714301972, 0.0010788252019162967, -0.0007380709389960052,
        0.000504953265834602, -0.0003454680251063077, 0.00023635601564027053,
        -0.00016170622091974803, 0.0001106337276874741, -7.569179582195066e-05,
        5.178575795222081e-05, -3.5430070947659604e-05, 2.424006611860132e-05,
        -1.6584242271854135e-05, 1.134638458466385e-05, -7.762817668462094e-06,
        5.3110609208898636e-06, -3.6336507898010456e-06, 2.486022733129538e-06,
        -1.7008538854332607e-06, 1.1636675363548843e-06, -7.96142543124197e-07,
        5.446941930669446e-07, -3.7266161283438227e-07,
    };
    if (x <= 0.0) {
        const double part = x - floor(x);
        if (part == 0.0)
            return NAN; /* a pole */
        return g2o_digamma(1.0 - x) - pi / tan(pi * part);
    }
    if (x < 3.0) {
        const double shift = x < 0.96 ? 1.0 : x > 1.96 ? -1.0 : 0.0;
        const double h = (x - zero + shift) - rest;
        double sum = 0.0;
        for (int k = 37; k >= 0; --k)
            sum = taylor[k] + h * sum;
        if (shift == 0.0)
            return h * sum;
        return shift > 0.0 ? h * sum - 1.0 / x : h * sum + 1.0 / (x - 1.0);
    }
    double below = 0.0;
    for (; x < 10.0; x += 1.0)
        below += 1.0 / x;
    const double s = 1.0 / (x * x);
    const double series =
        s * (1.0 / 12 -
             s * (1.0 / 120 -
                  s * (1.0 / 252 -
                       s * (1.0 / 240 - s * (1.0 / 132 - s * (691.0 / 32760 - s / 12))))));
    return log(x) - 0.5 / x - series - below;
}

static inline float g2o_digammaf(float x) { return (float)g2o_digamma(x); }
#endif
