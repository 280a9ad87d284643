import type * as codemod from '../codemods/index.js';
import { ExitCode } from './exitCodes.js';
import { palette, wantsColour, type Palette } from './palette.js';

/** What the commands call of the codemod's API. It reads and computes; only `commit` writes. */
export type Codemod = Pick<typeof codemod, 'migrate' | 'commit' | 'check'>;

/** The process as the commands see it, so that a test can run them against streams of its own. */
export interface Surroundings {
    stdout: Stream;
    stderr: Stream;
    env: NodeJS.ProcessEnv;
    cwd: string;
    /** Loaded only when a command needs it: the type checker behind it takes longer than `--help` should. */
    loadCodemod: () => Promise<Codemod>;
}

interface Stream {
    write(text: string): unknown;
    isTTY?: boolean;
}

/** Options that every command has. */
export interface CommonOptions {
    cwd?: string;
    /** commander's negation of `--no-color`. */
    color: boolean;
}

/** One run of one command: where data and talk go, and what the process will end with. */
export class Session {
    exitCode: ExitCode = ExitCode.ok;

    constructor(readonly surroundings: Surroundings) {}

    /** Data: what another program may read. */
    data(render: (palette: Palette) => string, options: CommonOptions): void {
        this.#print(this.surroundings.stdout, render, options);
    }

    /** Talk: what only a person reads. */
    talk(render: (palette: Palette) => string, options: CommonOptions): void {
        this.#print(this.surroundings.stderr, render, options);
    }

    #print(stream: Stream, render: (palette: Palette) => string, options: CommonOptions): void {
        const text = render(palette(wantsColour(stream, this.surroundings.env, options.color)));
        if (text !== '') stream.write(text.endsWith('\n') ? text : `${text}\n`);
    }
}
