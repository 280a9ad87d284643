/**
 * What the process ends with. This is a contract with scripts and CI: a code keeps its meaning for ever,
 * and a new meaning gets a new number.
 */
export const ExitCode = {
    /** Done, nothing to do, or a dry run was shown; for `check`: no finding at or above the level. */
    ok: 0,
    /** `check`: findings at or above the level. */
    findings: 1,
    /** `migrate --check`: files would change. */
    pending: 2,
    /** Wrong usage, unusable configuration, or a dirty git tree without `--allow-dirty`. Nothing was read or written. */
    usage: 3,
    /** Some files failed or were skipped for an error; the rest was done. Wins over 1 and 2: the answer is incomplete. */
    failures: 4,
    /** A bug of ours (EX_SOFTWARE of sysexits.h). */
    internal: 70
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
