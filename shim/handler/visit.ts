import type { Frame, Round } from '../park/frame.js';
import type { AttemptNeed } from './replay-need.js';

/** One 2026-07-28 request on its way through an attached server: how the seam and the handler under it meet. */
export interface Visit {
    readonly frame: Frame;
    readonly round: Round;
    /** The request carries a state that is not ours: no resumable handler may start on it (DESIGN rule 10). */
    readonly foreignState: boolean;
    /** The `Need` of the resumable handler that has begun. */
    need?: AttemptNeed;
}

/** On the context itself, so that it survives `{ ...ctx }` in the user's own wrappers. */
const VISIT = Symbol.for('mcp-mrtr.visit/1');

export function withVisit<Context extends object>(ctx: Context, visit: Visit): Context {
    return { ...ctx, [VISIT]: visit };
}

export function visitOf(ctx: object): Visit | undefined {
    return (ctx as { [VISIT]?: Visit })[VISIT];
}
