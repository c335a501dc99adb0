import { type DocumentedLimit, documentedLimits } from '../../providers/hosting/limits/index.ts';
import { groupBy } from '../../src/model/graph.ts';
import { perWindow } from '../../src/report/forecast.ts';
import { table } from './markdown.ts';

const planNames = { hobby: 'Free', pro: 'Pro', enterprise: 'Enterprise' };

const start = '<!-- Limits, generated from the code by `npm run docs`: do not edit. -->';
const end = '<!-- End of the limits. -->';

/** The table on a page, with its marks. */
export const tableOnPage = new RegExp(`${start}.*${end}`, 's');

/** `60 in 5 min (Free), 120 in 5 min (Pro)` */
const numbersOf = (rows: DocumentedLimit[]): string =>
  rows
    .map(({ allowed, window, plans }) => {
      const inPlans = plans ? ` (${plans.map((plan) => planNames[plan]).join(', ')})` : '';
      return `${allowed.toLocaleString('en-US')} ${perWindow(window)}${inPlans}`;
    })
    .join(', ');

const operationsOf = ({ operations, weakOperations = [], bodyMember }: DocumentedLimit): string => {
  const names = [
    ...operations.map((id) => `\`${id}\``),
    ...weakOperations.map((id) => `\`${id}\` (probably)`),
  ];
  return `${names.join(', ')}${bodyMember === undefined ? '' : `, with \`${bodyMember}\``}`;
};

/** All documented limits, one row for each name. */
export function limitsTable(): string {
  const byName = groupBy(documentedLimits, ({ name }) => name);
  const rows = [...byName.values()].map((same) => [
    same[0]!.what,
    numbersOf(same),
    same[0]!.scope === 'user' ? 'user' : 'account',
    operationsOf(same[0]!),
  ]);
  return `${start}\n\n${table(['Requests', 'Limit', 'Counted for', 'Operations'], rows)}\n\n${end}`;
}
