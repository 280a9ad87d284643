import type { ClientCapabilities } from '@modelcontextprotocol/server';

import { canonicalJson } from '../exchange/canonical.js';
import { withImpliedForm } from '../handler/capabilities.js';

/** What an old server is told that its client can do, and the name of that set. */
export interface CapabilitySet {
    readonly key: string;
    readonly capabilities: ClientCapabilities;
}

/**
 * The capabilities of a request as an `initialize` of 2025-11-25 declares them: without what revision 2026-07-28 has
 * added, and with the meaning that an empty `elicitation` has. Roots may change at any time, and the bridge says so.
 */
export function capabilitySetOf(declared: ClientCapabilities | undefined): CapabilitySet {
    const { elicitation, sampling, roots, experimental } = withImpliedForm(declared ?? {});
    const capabilities: ClientCapabilities = {
        ...(elicitation && { elicitation }),
        ...(sampling && { sampling }),
        ...(roots && { roots: { ...roots, listChanged: true } }),
        ...(experimental && { experimental })
    };
    return { key: canonicalJson(capabilities), capabilities };
}
