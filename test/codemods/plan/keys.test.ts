import { describe, expect, it } from 'vitest';
import { keysFor } from '../../../codemods/plan/keys.js';
import type { FunctionFact, SiteFact } from '../../../codemods/facts/facts.js';

function site(
    id: string,
    keyHints: Partial<SiteFact['keyHints']>,
    context = 'f1',
    kind: SiteFact['kind'] = 'elicit'
): SiteFact {
    return {
        id,
        file: '/a.ts',
        kind,
        rule: 'elicit-input',
        api: 'x',
        call: { start: 0, end: 0 },
        request: undefined,
        droppedOptions: [],
        keyHints: { properties: [], ...keyHints },
        context,
        hazards: [],
        statement: 0
    };
}

function fn(id: string, handlers: string[]): FunctionFact {
    return { id, file: '/a.ts', name: id, parameter: { form: 'present', name: 'ctx' }, calls: [], handlers };
}

const keys = (sites: SiteFact[], functions: FunctionFact[]): string[] => [...keysFor(sites, functions).asks.values()];

describe('keys', () => {
    it('are the name of the variable, when it says something', () => {
        expect(keys([site('s1', { variable: 'newOwner', properties: ['a'] })], [fn('f1', ['h1'])])).toEqual([
            'new-owner'
        ]);
    });

    it('are the only property of the form otherwise', () => {
        expect(keys([site('s1', { variable: 'result', properties: ['user_name'] })], [fn('f1', ['h1'])])).toEqual([
            'user_name'
        ]);
    });

    it('are the function around it when the form has several or none', () => {
        expect(keys([site('s1', { properties: ['a', 'b'], enclosing: 'askGardener' })], [fn('f1', ['h1'])])).toEqual([
            'ask-gardener'
        ]);
    });

    it('are unique among the sites that one handler reaches', () => {
        const same = { variable: 'go' };
        expect(
            keys([site('s1', same, 'f1'), site('s2', same, 'f2')], [fn('f1', ['h1']), fn('f2', ['h1', 'h2'])])
        ).toEqual(['go', 'go-2']);
        expect(keys([site('s1', same, 'f1'), site('s2', same, 'f2')], [fn('f1', ['h1']), fn('f2', ['h2'])])).toEqual([
            'go',
            'go'
        ]);
    });

    it('are unique against everything where the handler is not known', () => {
        const same = { variable: 'go' };
        expect(keys([site('s1', same, 'f1'), site('s2', same, 'f2')], [fn('f1', ['h1']), fn('f2', [])])).toEqual([
            'go',
            'go-2'
        ]);
    });
});
