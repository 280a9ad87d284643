import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CreateMessageRequest } from '@modelcontextprotocol/server';

type SamplingParams = CreateMessageRequest['params'];
type Block = Extract<SamplingParams['messages'][number]['content'], { type: string }>;

/**
 * Checks that tool results follow the tool uses that they answer, as `createMessage` did before it sent anything, with
 * its error texts.
 *
 * @throws ProtocolError
 */
export function assertToolResultsMatch({ messages }: SamplingParams): void {
    const last = blocks(messages.at(-1));
    const uses = blocks(messages.at(-2)).filter(block => block.type === 'tool_use');
    const results = last.filter(block => block.type === 'tool_result');
    if (results.length > 0) {
        if (results.length < last.length) {
            throw invalid('The last message must contain only tool_result content if any is present');
        }
        if (uses.length === 0) {
            throw invalid('tool_result blocks are not matching any tool_use from the previous message');
        }
    }
    if (uses.length === 0) return;
    const used = new Set(uses.map(block => block.id));
    const answered = new Set(results.map(block => block.toolUseId));
    if (used.size !== answered.size || [...used].some(id => !answered.has(id))) {
        throw invalid('ids of tool_result blocks and tool_use blocks from previous message do not match');
    }
}

function blocks(message: SamplingParams['messages'][number] | undefined): Block[] {
    if (message === undefined) return [];
    return Array.isArray(message.content) ? message.content : [message.content];
}

function invalid(message: string): ProtocolError {
    return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
