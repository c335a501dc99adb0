import type { Fact, FactVerdict, ObservedAnswer } from '#kind';

/** A JSON object of an answer. */
export type Row = Readonly<Record<string, unknown>>;

/** A fact as its table writes it, without the area that all facts of a table share. */
export type AreaFact = Omit<Fact, 'area'>;

/** Returns a value as an object; empty if it is none, so that checks can read members of any answer without further tests. */
export const toRow = (value: unknown): Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {};

/** Returns the objects of a list in an answer; empty if the value is no list. */
export const toRows = (value: unknown): Row[] => (Array.isArray(value) ? value.map(toRow) : []);

/** Returns the texts of a member that the platform writes as a list or as a single text, such as `target` of a variable. */
export const toTexts = (value: unknown): string[] =>
  [value ?? []].flat().filter((entry): entry is string => typeof entry === 'string');

/** True for an answer with a status of 2xx. Used by checks that read the body; checks of refusals read the status themselves. */
export const isSuccess = ({ status }: ObservedAnswer): boolean => status >= 200 && status < 300;

/** Returns the objects of the list `member` in a successful answer; the answer itself is the list if `member` is empty. */
export function rowsOf(observed: ObservedAnswer, member: string): Row[] {
  if (!isSuccess(observed)) return [];
  return toRows(member === '' ? observed.body : toRow(observed.body)[member]);
}

/**
 * Returns what the objects of a list say about a fact (what trueup assumes about the platform): contradicted by a single object, otherwise
 * confirmed if one confirms it; undefined if none shows anything. `judge`: the verdict of one object.
 */
export function judgeRows(rows: readonly Row[], judge: (row: Row) => FactVerdict): FactVerdict {
  const verdicts = new Set(rows.map(judge));
  if (verdicts.has('contradicted')) return 'contradicted';
  return verdicts.has('confirmed') ? 'confirmed' : undefined;
}

/** Returns the verdict of an observation that holds or does not hold. */
export const toVerdict = (holds: boolean): FactVerdict => (holds ? 'confirmed' : 'contradicted');

/** Returns 'contradicted' if something was found that the platform should never show. Not finding it proves nothing. */
export const contradictedIf = (isFound: boolean): FactVerdict => (isFound ? 'contradicted' : undefined);

/** Returns 'confirmed' if something was found. Not finding it proves nothing. */
export const confirmedIf = (isFound: boolean): FactVerdict => (isFound ? 'confirmed' : undefined);

/**
 * Returns a check of the fact that the platform allows so many reads in a window: it compares the number with the rate limit in the header
 * of an answer. The check returns undefined for an answer without the header.
 */
export const checkLimit =
  (allowed: number) =>
  ({ headers }: ObservedAnswer): FactVerdict => {
    const limit = headers['x-ratelimit-limit'];
    return limit === undefined ? undefined : toVerdict(Number(limit) === allowed);
  };

/** Returns facts with the area of their table. */
export const inArea = (area: string, facts: readonly AreaFact[]): Fact[] =>
  facts.map((fact) => ({ ...fact, area }));
