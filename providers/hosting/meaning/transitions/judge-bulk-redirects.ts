import { type Address, canonicalJson, groupBy, revealed, type View, type VisitorRequest } from '#kind';
import { type BulkRedirect, indexRedirects } from '../redirects/index-redirects.ts';
import { bulkRedirectAt } from '../redirects/next-hop.ts';
import { alikeKey } from '../redirects/path-pattern.ts';
import { formatOutcome, visitOf } from '../trace/trace-redirects.ts';
import { toExampleRequest } from './example-request.ts';
import type { PartWay, StateJudgement } from './part.ts';

/** The bulk redirects of a project in one state. A class has those that may match the same paths. */
export interface BulkState {
  view: View;
  classes: ReadonlyMap<string, readonly BulkRedirect[]>;
  /** Equal for classes that treat all requests alike. */
  classIds: ReadonlyMap<string, string>;
}

/** Returns the bulk redirects of a project on a way. */
export function bulkWay(way: readonly View[], project: Address): PartWay<BulkState> {
  const states = way.map((view): BulkState => {
    const classes = groupBy(indexRedirects(view).projectAt(project).bulk, ({ source }) => alikeKey(source));
    const classIds = new Map([...classes].map(([key, redirects]) => [key, classIdOf(redirects)]));
    return { view, classes, classIds };
  });
  const ids = states.map(({ classIds }) =>
    JSON.stringify([...classIds].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))),
  );
  return { type: 'bulk redirects', part: project, project, states, ids };
}

function classIdOf(redirects: readonly BulkRedirect[]): string {
  const texts = redirects.map(({ object: { fields }, source, destination, isCaseSensitive, keepsQuery }) =>
    canonicalJson(
      revealed([
        source,
        destination ?? fields.destination ?? null,
        fields.statusCode ?? null,
        isCaseSensitive ?? null,
        keepsQuery ?? null,
      ]),
    ),
  );
  return JSON.stringify(texts.sort());
}

/** Returns the classes that differ between two states, by a path of each. */
export const changedClasses = (first: BulkState, second: BulkState): string[] =>
  [...new Set([...first.classIds.keys(), ...second.classIds.keys()])].filter(
    (key) => first.classIds.get(key) !== second.classIds.get(key),
  );

/**
 * Judges the bulk redirects of a project in a state on the way. Only redirects that are neither as before the apply nor as after it matter.
 */
export function judgeBulkRedirects(
  { project, host = 'host.example' }: { project: Address; host?: string | undefined },
  states: { before: BulkState; during: BulkState; after: BulkState },
): StateJudgement {
  const { before, during, after } = states;
  const changedBefore = new Set(changedClasses(before, during));
  const third = changedClasses(during, after).filter((key) => changedBefore.has(key));
  const undecided: Address[] = [];
  for (const key of third) {
    const redirects = [before, during, after].flatMap(({ classes }) => classes.get(key) ?? []);
    const rules = [...new Set(redirects.map(({ object }) => object.address))];
    for (const path of new Set(redirects.map(({ source }) => source))) {
      if (!URL.canParse(`https://${host}${path}`)) continue;
      const request: VisitorRequest = {
        method: 'GET',
        url: new URL(`https://${host}${path}`),
        headers: new Map(),
      };
      const texts = [before, during, after].map(({ view }) => outcomeText(view, request, project));
      const [textBefore, textDuring, textAfter] = texts;
      if (textBefore === undefined || textDuring === undefined || textAfter === undefined) continue;
      // Another redirect to the same place is no difference for a visitor.
      if (textDuring.result !== textBefore.result && textDuring.result !== textAfter.result)
        return {
          type: 'third',
          request: toExampleRequest(request),
          rules,
          before: textBefore.text,
          during: textDuring.text,
          after: textAfter.text,
        };
    }
    undecided.push(...rules);
  }
  return undecided.length === 0
    ? { type: 'safe' }
    : {
        type: 'undecided',
        why: 'no source says which requests these redirects match or where they lead',
        rules: undecided,
      };
}

/** Returns what bulk redirects do with a request; undefined if that is not certain. `result`: equal if a visitor gets the same. */
function outcomeText(
  view: View,
  request: VisitorRequest,
  project: Address,
): { result: string; text: string } | undefined {
  const { outcomes, mayPass } = bulkRedirectAt(indexRedirects(view), visitOf(request, project));
  const [outcome, ...others] = outcomes;
  if (!outcome) return { result: 'pass', text: 'pass' };
  if (mayPass || others.length > 0 || outcome.type === 'unknown') return undefined;
  const result = formatOutcome(outcome);
  return { result, text: `${result} by ${outcome.by}` };
}
