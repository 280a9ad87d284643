/**
 * One text replacement. `start` and `end` are UTF-16 offsets into the text that the planner saw; `start === end` inserts.
 * Edits of one `group` are applied together or not at all.
 */
export interface Edit {
    file: string;
    start: number;
    end: number;
    text: string;
    /** Id of the rule that wants the edit. */
    rule: string;
    group: string;
}
