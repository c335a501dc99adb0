import { listFew } from '../model/fold-wordings.ts';
import type { ExampleRequest, PartState, WayReport } from '../model/way.ts';
import { cleanLine, count, joinAsSentence } from './text.ts';

/**
 * Returns the sentences about what visitors meet while a rehearsed apply runs, for the report of the rehearsal. A state is how things are
 * after one of the requests of the apply, a part is a firewall, a list of redirects or routes, or a host. First comes whether each request
 * of a visitor gets, in each state, the verdict from before the apply or the one from after it, then the exceptions: a third verdict
 * (`thirds`), states that could not be decided (`undecided`), moments in which old and new parts of a project meet (`mixed`) or a name has
 * no DNS record (`unanswered`), and lists that were not read in between (`unread`). Returns no sentences if the apply cannot change the
 * answer to any request of a visitor.
 */
export function visitorsTexts(report: WayReport | undefined): string[] {
  if (!report) return [];
  const { partCount, stateCount, thirds, undecided, mixed, unanswered, unread } = report;
  if (partCount + unanswered.length + unread.length === 0) return [];
  const after = ({ state }: Pick<PartState, 'state'>) =>
    `after request ${state} of ${report.requests.length} (${cleanLine(report.requests[state - 1] ?? '')})`;
  const isDecided = undecided.length + mixed.length + unread.length === 0;
  const clearText = `While it is applied, visitors get the answers from before or from after, and no others: ${count(partCount, 'part')} changed, ${count(stateCount, 'state')} in between compared.`;
  return [
    ...(thirds.length === 0 && isDecided && partCount > 0 ? [clearText] : []),
    ...thirds.map((third) => thirdText(third, after(third))),
    ...undecided.map((state) => undecidedText(state, after(state))),
    ...mixed.map((parts) => mixedText(parts, after(parts))),
    ...unanswered.map(
      (name) => `${cleanLine(name.name)} has no ${cleanLine(name.type)} record for a moment, ${after(name)}.`,
    ),
    ...unread.map((collection) => `Not read on the way, so not compared: ${cleanLine(collection)}.`),
  ];
}

/**
 * Formats an answer that is neither the one from before nor the one from after the apply. `when`: after which request a visitor gets it.
 */
const thirdText = ({ request, before, during, after }: WayReport['thirds'][number], when: string): string =>
  `A visitor gets an answer that is neither the one from before nor the one from after, ${when}: ${cleanLine(formatExample(request))}: before ${cleanLine(before)}, then ${cleanLine(during)}, in the end ${cleanLine(after)}.`;

/** Formats a state of a part for which it could not be decided whether visitors get other answers. */
const undecidedText = ({ part, why, rules }: WayReport['undecided'][number], when: string): string =>
  `Not decided whether visitors get the answers of ${cleanLine(part)} from before or from after, and no others, ${when}: ${cleanLine(why)}${listRules(rules)}.`;

/** Formats parts of one project that change one after the other, so that together they may answer a request in a third way. */
const mixedText = ({ types, project }: WayReport['mixed'][number], when: string): string =>
  `Not decided whether a visitor gets an answer from before and from after at once, ${when}: the ${joinAsSentence([...types])} of ${cleanLine(project)} change one after the other, and some requests may concern several of them.`;

/**
 * Formats the request of an example visitor in one line, which shows in the report of a rehearsal who gets an unexpected answer: `GET
 * https://shop.example/admin from 203.0.113.9, DE with x-check: 7`.
 */
export function formatExample({
  method,
  url,
  ip,
  country,
  headers = {},
  attributes = {},
}: ExampleRequest): string {
  const origin = [ip, country].filter((part) => part !== undefined).join(', ');
  const details = [...Object.entries(headers), ...Object.entries(attributes)].map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `${method} ${url}${origin === '' ? '' : ` from ${origin}`}${details.length > 0 ? ` with ${joinAsSentence(details)}` : ''}`;
}

/** Lists the first rules in brackets, and counts the others; an empty text without rules. */
const listRules = (rules: readonly string[]): string =>
  rules.length === 0 ? '' : ` (${listFew(rules.map(cleanLine))})`;
