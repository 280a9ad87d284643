import { describe, expect, it } from 'vitest';
import { applyEdits, OverlapError } from '../../../codemods/edits/applyEdits.js';
import type { Edit } from '../../../codemods/edits/edit.js';

const edit = (start: number, end: number, text: string, rule = 'rule'): Edit => ({
    file: 'a.ts',
    start,
    end,
    text,
    rule,
    group: 'g'
});

describe('applyEdits', () => {
    it('replaces, inserts and removes by offsets of the original', () => {
        expect(applyEdits('one two three', [edit(0, 3, '1'), edit(4, 4, 'and '), edit(7, 13, '')])).toBe('1 and two');
    });

    it('keeps the order of insertions at one place', () => {
        expect(applyEdits('f()', [edit(0, 0, 'outer('), edit(0, 0, 'inner('), edit(3, 3, '))')])).toBe(
            'outer(inner(f()))'
        );
    });

    it('puts an insertion in front of what replaces the text behind it', () => {
        expect(applyEdits('old', [edit(0, 0, 'wrap('), edit(0, 3, 'new'), edit(3, 3, ')')])).toBe('wrap(new)');
    });

    it('refuses two edits of the same text and names both rules', () => {
        const both = (): string => applyEdits('abcdef', [edit(0, 4, 'x', 'first'), edit(2, 6, 'y', 'second')]);
        expect(both).toThrow(OverlapError);
        expect(both).toThrow(/first and second both edit a\.ts at 2–6/);
    });

    it('refuses an insertion into text that another edit replaces', () => {
        expect(() => applyEdits('abcdef', [edit(1, 5, 'x'), edit(3, 3, 'y')])).toThrow(OverlapError);
    });

    it('counts offsets in UTF-16 units, as the compiler does', () => {
        expect(applyEdits('😀 ok', [edit(3, 5, 'no')])).toBe('😀 no');
    });
});
