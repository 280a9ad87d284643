import type {
    ClientCapabilities,
    CreateMessageResult,
    CreateMessageResultWithTools,
    ElicitResult,
    ListRootsResult
} from '@modelcontextprotocol/server';

import type { EmbeddedRequest } from '../exchange/question.js';
import { missingCapability } from '../handler/capabilities.js';

/** A question as the client sees it: the name it goes by, and the request. */
export interface TestQuestion {
    readonly key: string;
    readonly method: string;
    readonly params: Readonly<Record<string, unknown>>;
}

export type TestAnswer = ElicitResult | CreateMessageResult | CreateMessageResultWithTools | ListRootsResult;

/** The client of a test, and the person in front of it. */
export interface TestClientOptions {
    /**
     * What is answered, by the key of the question or by a function of it. Later occurrences of a key have keys of their
     * own (`confirm`, `confirm#2`, …); where these have no answer, that of the first one is given again.
     */
    readonly answers?: Readonly<Record<string, TestAnswer>> | ((question: TestQuestion) => TestAnswer);
    /** What the client declares. Default: forms, pages, sampling with tools, roots. */
    readonly clientCapabilities?: ClientCapabilities;
}

const EVERYTHING: ClientCapabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

export class TestClient {
    readonly asked: TestQuestion[] = [];
    readonly capabilities: ClientCapabilities;

    constructor(private readonly options: TestClientOptions) {
        this.capabilities = options.clientCapabilities ?? EVERYTHING;
    }

    /**
     * @throws SdkError, that of the push call, if the client did not declare what the question needs.
     * @throws Error if the test has no answer for it: a test must not go on with one that nobody gave.
     */
    answer(key: string, request: EmbeddedRequest): TestAnswer {
        const missing = missingCapability(request, this.capabilities);
        if (missing !== undefined) throw missing;
        const question = { key, method: request.method, params: request.params ?? {} };
        this.asked.push(question);
        const { answers = {} } = this.options;
        const answer = typeof answers === 'function' ? answers(question) : byKey(answers, key);
        if (answer !== undefined) return structuredClone(answer);
        throw new Error(
            `The test has no answer to '${key}' (${request.method}): give one as answers: { '${key}': … }. ` +
                `Questions so far: ${this.asked.map(one => one.key).join(', ')}`
        );
    }
}

function byKey(answers: Readonly<Record<string, TestAnswer>>, key: string): TestAnswer | undefined {
    return [key, key.replace(/#\d+$/, '')].filter(name => Object.hasOwn(answers, name)).map(name => answers[name])[0];
}
