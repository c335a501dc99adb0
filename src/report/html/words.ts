import type { Action, Change, FieldCause, Grade } from '../../model/change.ts';

/** Grades, the worst first, each with its heading and what it means. */
export const grades: { grade: Grade; title: string; means: string }[] = [
  {
    grade: 'irreversible',
    title: 'Irreversible',
    means: 'Cannot be undone: what is lost, or an id that others know, does not come back.',
  },
  { grade: 'destructive', title: 'Destructive', means: 'Objects are deleted.' },
  { grade: 'disruptive', title: 'Disruptive', means: 'Something is absent or interrupted for a moment.' },
  { grade: 'safe', title: 'Safe', means: 'Nothing is lost or interrupted.' },
];

/** The actions in the order of the summary, each with its sign and what is said of a change. */
export const actions: { action: Exclude<Action, 'noop'>; sign: string; verb: string }[] = [
  { action: 'create', sign: '+', verb: 'create' },
  { action: 'adopt', sign: '=', verb: 'adopt' },
  { action: 'update', sign: '~', verb: 'update' },
  { action: 'replace', sign: '±', verb: 'replace' },
  { action: 'move', sign: '>', verb: 'move' },
  { action: 'release', sign: '.', verb: 'let go' },
  { action: 'forget', sign: '.', verb: 'forget' },
  { action: 'delete', sign: '−', verb: 'delete' },
];

/** Why a field differs, for people; the ones to look at come first. */
export const causes: { cause: FieldCause; label: string; means: string }[] = [
  { cause: 'conflict', label: 'conflict', means: 'changed outside and here' },
  { cause: 'drift', label: 'drift', means: 'changed outside, this puts it back' },
  { cause: 'unknown', label: 'edit or drift', means: 'what was applied last is not known' },
  { cause: 'unverified', label: 'unverified', means: 'a secret that cannot be compared' },
  { cause: 'edit', label: 'edit', means: 'changed in the configuration' },
  { cause: 'released', label: 'released', means: 'no longer managed' },
  { cause: 'recorded', label: 'recorded', means: 'already so, only the ledger learns it' },
];

/** The cause to name for a whole change: of its fields' causes the one that matters most; without any, it is an edit. */
export const causeOf = ({ fields }: Change): (typeof causes)[number] =>
  causes.find(({ cause }) => fields.some((field) => field.cause === cause)) ??
  causes.find(({ cause }) => cause === 'edit')!;
