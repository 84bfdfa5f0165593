// Faults: an overflow of a CUDA thread's stack is told from others.
#pragma once

#include "state.hpp"

#include <csignal>

namespace g2o_emulator {

// Faults that are no overflow happen again, unhandled.
inline void on_fault(int signal, siginfo_t *info, void *) {
    if (current_grid && device_state().stacks.is_guard(info->si_addr)) {
        std::fprintf(stderr, "g2o emulator: stack overflow in kernel '%s'; see G2O_STACK_KB\n",
                     current_grid->name);
        stop(exit_stack_overflow);
    }
    std::signal(signal, SIG_DFL);
}

inline void watch_stacks() {
#ifndef G2O_EMULATOR_ASAN
    static bool done = false;
    if (done)
        return;
    done = true;
    stack_t alternative = {};
    alternative.ss_size = 64 * 1024;
    alternative.ss_sp = std::malloc(alternative.ss_size);
    sigaltstack(&alternative, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
#endif
}

} // namespace g2o_emulator
