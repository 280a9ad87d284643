import { decodeBase64Url, encodeBase64Url } from '../../../shim/state/base64url.js';
import type { Frame } from '../frames.js';
import { answers, scripted, ask } from '../scripted-server.js';

type Retry = Pick<Frame, 'requestState' | 'inputResponses'> & { readonly arguments?: object };

/** A retry that no server may run a handler for, out of a true state of it. `n` makes each one different. */
export type Forgery = (state: string, n: number) => Retry;

const YES = answers({ sure: 'yes' });
const FOREIGN = await sealedElsewhere();

/** Ways to lie about a state, by name. */
export const FORGERIES: Readonly<Record<string, Forgery>> = {
    'a changed byte': (state, n) => ({ requestState: flip(state, n), inputResponses: YES }),
    'a cut end': (state, n) => ({ requestState: state.slice(0, 4 + (n % (state.length - 4))), inputResponses: YES }),
    'a longer end': (state, n) => ({ requestState: `${state}${'A'.repeat(1 + (n % 7))}`, inputResponses: YES }),
    'other arguments': (state, n) => ({ requestState: state, inputResponses: YES, arguments: { order: n } }),
    'a key of another server': () => ({ requestState: FOREIGN, inputResponses: YES }),
    'an unknown key': (state, n) => ({ requestState: withPart(state, 1, `key${n}`), inputResponses: YES }),
    'a foreign format': (_, n) => ({ requestState: `v${n}.not-ours`, inputResponses: YES }),
    'no format at all': (_, n) => ({ requestState: `m1.${'.'.repeat(n % 9)}`, inputResponses: YES }),
    'sixty kilobytes': (state, n) => ({ requestState: `${state}${'A'.repeat(60_000 + n)}`, inputResponses: YES }),
    'answers that are no object': (state, n) => ({ requestState: flip(state, n), inputResponses: 17 }),
    'a state that is no text': (_, n) => ({ requestState: { n }, inputResponses: YES }),
    'a prototype for a key': (state, n) => ({
        requestState: flip(state, n),
        inputResponses: JSON.parse('{"__proto__":{"action":"accept"}}')
    })
};

function withPart(state: string, index: number, part: string): string {
    return state.split('.').with(index, part).join('.');
}

/** One bit of the sealed bytes is another. */
function flip(state: string, n: number): string {
    const bytes = decodeBase64Url(state.split('.')[2]!)!;
    bytes[n % bytes.length]! ^= 1 << (n % 8);
    return withPart(state, 2, encodeBase64Url(bytes));
}

async function sealedElsewhere(): Promise<string> {
    const { call } = scripted(ctx => ask(ctx, 'sure'), {}, { key: 'another key, which is long enough too' });
    return (await call()).result!.requestState!;
}
