import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lineBreakOf, prefixOf } from '../../../codemods/files/lineForm.js';
import { readSource } from '../../../codemods/files/readSource.js';
import { temporaryFolder } from './temporaryFolder.js';

it('a text encodes to the bytes it was read from', () => {
    const bytes = Buffer.from('\uFEFF#!/usr/bin/env node\r\nconst größe = "€𝄞";\n\r\tx');
    const read = readSource(join(temporaryFolder({ 'a.js': bytes }), 'a.js'));
    expect('text' in read && Buffer.from(read.text).equals(bytes)).toBe(true);
});

it('a file that is not UTF-8 is a problem, not a text with question marks', () => {
    const folder = temporaryFolder({ 'latin1.js': Buffer.from([0x2f, 0x2f, 0x20, 0xe9, 0x0a]) });
    expect(readSource(join(folder, 'latin1.js'))).toEqual({ problem: expect.stringContaining('not UTF-8') as string });
});

it('a file that is not there, and a folder, are problems', () => {
    const folder = temporaryFolder();
    expect(readSource(join(folder, 'a.js'))).toEqual({ problem: 'cannot be read: no such file or folder' });
    expect(readSource(folder)).toEqual({ problem: 'cannot be read: it is a folder' });
});

it('the prefix of a text is its byte order mark and its shebang line', () => {
    expect(prefixOf('\uFEFF#!/usr/bin/env node\r\nx')).toBe('\uFEFF#!/usr/bin/env node\r\n');
    expect(prefixOf('#!/bin/sh')).toBe('#!/bin/sh');
    expect(prefixOf('#notAShebang')).toBe('');
    expect(prefixOf('x')).toBe('');
});

it('the line break of a text is that of most of its lines', () => {
    expect(lineBreakOf('a\r\nb\r\nc\n')).toBe('\r\n');
    expect(lineBreakOf('a\nb\r\nc\n')).toBe('\n');
    expect(lineBreakOf('a')).toBe('\n');
});
