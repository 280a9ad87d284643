import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Marks up text for a terminal, or leaves it alone where the output is not one. */
export type Palette = Record<Style, (text: string) => string>;

const STYLES: Style[] = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'];

// `wantsColour` has decided; styleText would ask process.stdout again.
const UNCONDITIONALLY = { validateStream: false };

export function palette(colour: boolean): Palette {
    const entries = STYLES.map(style => [
        style,
        (text: string) => (colour ? styleText(style, text, UNCONDITIONALLY) : text)
    ]);
    return Object.fromEntries(entries) as Palette;
}

/** Colour only for eyes: on a TTY, unless `--no-color` or NO_COLOR (https://no-color.org: any non-empty value) says no. */
export function wantsColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv, flag: boolean): boolean {
    return stream.isTTY === true && flag && !env['NO_COLOR'];
}
