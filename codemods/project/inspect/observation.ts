import type { Node } from 'ts-morph';
import type { FindingLevel } from '../../report.js';

/** What an inspection sees, before it is a finding: which rule it breaks and where, in the words of the rule's messages. */
export interface Observation {
    rule: string;
    messageId: string;
    /** What the `{placeholders}` of the message stand for. */
    data: Readonly<Record<string, string>>;
    node: Node;
    /** Other places that belong to it: the ask behind an effect, the calls from a handler down to an ask. */
    related: readonly { node: Node; text: string }[];
    /** Where this case is more or less serious than the rule. */
    level?: FindingLevel;
}

export function observe(
    rule: string,
    messageId: string,
    node: Node,
    data: Readonly<Record<string, string>> = {},
    more: Partial<Pick<Observation, 'related' | 'level'>> = {}
): Observation {
    return { rule, messageId, data, node, related: [], ...more };
}
