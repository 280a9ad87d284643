import { lintRules } from '../rules/lintRules.js';

/** `; do you mean elicit-input?` where a rule is called nearly so. */
export function nearestRule(id: string): string {
    const words = new Set(id.split('-'));
    const shared = (other: string): number => other.split('-').filter(word => words.has(word)).length;
    const [best] = lintRules.map(rule => rule.id).sort((a, b) => shared(b) - shared(a));
    return best === undefined || shared(best) === 0 ? '' : `; do you mean ${best}?`;
}
