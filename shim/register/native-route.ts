import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    PROTOCOL_VERSION_META_KEY
} from '@modelcontextprotocol/server';

/** Tells our own question from those of clients; nobody else knows its value. */
const PROBE_HEADER = 'x-mcp-mrtr-probe';
const PROBE = randomUUID();

/** How long the script may take to say which revisions it speaks, in milliseconds. */
const PROBE_MS = 2000;

const REVISION = '2026-07-28';

export function isProbe(headers: IncomingHttpHeaders): boolean {
    return headers[PROBE_HEADER] === PROBE;
}

/**
 * Whether the script speaks 2026-07-28 itself at this route: then it is better served as it is, for its 2025-era side may
 * be one without sessions, where nobody can be asked.
 *
 * @param headers of a client, by which the script knows who asks.
 * @returns `undefined` if it does not say so to this client.
 */
export async function speaksModern(url: URL, headers: Readonly<Record<string, string>>): Promise<boolean | undefined> {
    const meta = {
        [PROTOCOL_VERSION_META_KEY]: REVISION,
        [CLIENT_INFO_META_KEY]: { name: 'mcp-mrtr', version: '0' },
        [CLIENT_CAPABILITIES_META_KEY]: {}
    };
    try {
        const response = await fetch(url, {
            method: 'POST',
            headers: {
                ...headers,
                'content-type': 'application/json',
                accept: 'application/json, text/event-stream',
                'mcp-protocol-version': REVISION,
                'mcp-method': 'server/discover',
                [PROBE_HEADER]: PROBE
            },
            body: JSON.stringify({ jsonrpc: '2.0', id: PROBE, method: 'server/discover', params: { _meta: meta } }),
            signal: AbortSignal.timeout(PROBE_MS)
        });
        if (response.ok) return /"supportedVersions"\s*:\s*\[[^\]]*"2026-07-28"/.test(await response.text());
        await response.body?.cancel();
        return [401, 403, 429].includes(response.status) || response.status >= 500 ? undefined : false;
    } catch {
        return undefined;
    }
}
