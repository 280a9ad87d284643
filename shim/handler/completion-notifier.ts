import { isMultiRoundTripRevision } from './era.js';

/** The part of a low-level `Server` that announces the end of an out-of-band flow. */
interface Notifying {
    createElicitationCompletionNotifier?: (...args: never[]) => () => Promise<void>;
    getNegotiatedProtocolVersion?: () => string | undefined;
}

/**
 * Makes `createElicitationCompletionNotifier` harmless on 2026-07-28, which has neither the notification nor the id in
 * it: there a callback that rejects would fail a call which has done its work. The client calls again instead, when the
 * user comes back (DESIGN rule 18). On 2025-era connections nothing changes.
 */
export function muteCompletionNotifier(server: object, warn: (message: string) => void): void {
    const notifying = server as Notifying;
    const create = notifying.createElicitationCompletionNotifier?.bind(server);
    if (create === undefined) return;
    notifying.createElicitationCompletionNotifier = (...args) => {
        if (!isMultiRoundTripRevision(notifying.getNegotiatedProtocolVersion?.())) return create(...args);
        return () => {
            warn(
                `createElicitationCompletionNotifier does nothing on protocol revision 2026-07-28, which has no ` +
                    `notifications/elicitation/complete. To have the call itself wait for the page, look in the ` +
                    `handler whether it has been completed, and throw UrlElicitationRequiredError as long as it is not.`
            );
            return Promise.resolve();
        };
    };
}
