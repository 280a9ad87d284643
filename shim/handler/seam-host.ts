import type { AttemptHost, DivergeEvent } from '../exchange/attempt-host.js';
import type { QuestionMemory } from '../exchange/question-memory.js';
import type { EmbeddedRequest, Question } from '../exchange/question.js';
import type { Timing } from '../exchange/timing.js';
import type { Frame } from '../park/frame.js';
import { readAnswer } from './answers.js';
import type { SeamRequest } from './attach.js';
import { handlerLabel } from './binding.js';
import { missingCapability } from './capabilities.js';
import { envelopeCapabilities } from './era.js';
import type { MrtrOptions } from './options.js';
import { tolerateUnhandled } from './unhandled.js';
import { pagesOf } from './url-elicitation.js';

/** What the attempt of a request is told of the SDK. A parked frame keeps it, so it keeps nothing of the request. */
export class SeamHost implements AttemptHost {
    readonly timing: Timing;
    readonly memory: QuestionMemory;
    readonly handler: string;
    readonly #frame: Frame;
    readonly #onDiverge: MrtrOptions['onDiverge'];

    constructor(
        request: SeamRequest,
        frame: Frame,
        { timing, onDiverge }: Pick<MrtrOptions, 'onDiverge'> & { readonly timing: Timing },
        memory: QuestionMemory
    ) {
        this.timing = timing;
        this.memory = memory;
        this.handler = handlerLabel(request);
        this.#frame = frame;
        this.#onDiverge = onDiverge;
    }

    read(request: EmbeddedRequest, value: unknown): unknown {
        return readAnswer(request, value);
    }

    refuse(asked: EmbeddedRequest): Error | undefined {
        const envelope = this.#frame.facts?.envelope;
        return missingCapability(asked, envelopeCapabilities({ mcpReq: { envelope } }));
    }

    pagesOf(error: unknown): readonly Question[] | undefined {
        return pagesOf(error);
    }

    isFailure(value: unknown): boolean {
        return typeof value === 'object' && value !== null && 'isError' in value && value.isError === true;
    }

    mayGoUnhandled(error: Error): void {
        tolerateUnhandled(error);
    }

    onDiverge(event: DivergeEvent): void {
        this.#onDiverge?.(event);
    }
}
