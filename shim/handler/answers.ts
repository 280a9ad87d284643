import { specTypeSchemas } from '@modelcontextprotocol/server';

import type { EmbeddedRequest } from '../exchange/question.js';
import { usesTools } from './capabilities.js';

/**
 * An answer as the handler shall see it, parsed as the SDK parses the answer to a push request; `undefined` if its
 * shape does not fit the request. Such an answer counts as missing, and the question is asked again (basic/patterns/
 * mrtr, "Error Handling"). The content of a form is another matter: see `assertContentMatches`.
 */
export function readAnswer(request: EmbeddedRequest, answer: unknown): unknown {
    const outcome = schemaOf(request)['~standard'].validate(answer);
    return outcome.issues === undefined ? outcome.value : undefined;
}

function schemaOf(request: EmbeddedRequest) {
    switch (request.method) {
        case 'elicitation/create':
            return specTypeSchemas.ElicitResult;
        case 'sampling/createMessage':
            return usesTools(request)
                ? specTypeSchemas.CreateMessageResultWithTools
                : specTypeSchemas.CreateMessageResult;
        default:
            return specTypeSchemas.ListRootsResult;
    }
}
