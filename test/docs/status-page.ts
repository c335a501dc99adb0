import type { Fact } from '../../src/kind/evidence.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { opened, sections, table } from './markdown.ts';

/** The part of a report of `trueup doctor` that says which kinds an account has confirmed. */
export interface KindReport {
  kinds: { kind: string; result: string }[];
}

/** How the behaviour of a kind is known, best first. */
type Support = 'accounts' | 'sources' | 'twin';

/** Returns how the behaviour of a kind is known: from a report of a real account, from public sources, or only from the API's description. */
function supportOf(kind: Kind, facts: readonly Fact[], reports: readonly KindReport[]): Support {
  const isConfirmed = reports.some(({ kinds }) =>
    kinds.some((finding) => finding.kind === kind.name && finding.result === 'fits'),
  );
  if (isConfirmed) return 'accounts';
  const isSourced = facts.some(
    ({ kinds, confidence }) =>
      kinds.includes(kind.name) && (confidence === 'documented' || confidence === 'measured'),
  );
  return isSourced ? 'sources' : 'twin';
}

const meanings: Record<Support, string> = {
  accounts: 'confirmed by a report of `trueup doctor` about a real account',
  sources: 'facts about their behaviour come from documentation, or from measurements that others published',
  twin: 'known from the published API, and tried only on the twin',
};

/** The kinds, with the facts and reports about their behaviour, for the page and for README.md. */
export interface Status {
  kinds: readonly Kind[];
  facts: readonly Fact[];
  /** The reports of real accounts. */
  reports: readonly KindReport[];
}

/** Returns the names of the kinds by how their behaviour is known. */
function groupKinds({ kinds, facts, reports }: Status): Record<Support, string[]> {
  const groups: Record<Support, string[]> = { accounts: [], sources: [], twin: [] };
  for (const kind of kinds) groups[supportOf(kind, facts, reports)].push(kind.name);
  for (const names of Object.values(groups)) names.sort();
  return groups;
}

/** Returns the list for the section "Status" of README.md: how many kinds are known in which way. */
export const statusList = (status: Status): string =>
  Object.entries(groupKinds(status))
    .map(([support, names]) => `- **${names.length || 'No'} kinds**: ${meanings[support as Support]}`)
    .join('\n');

/** Returns the page docs/status.md: the kinds by how their behaviour is known, and the facts with their sources. */
export function statusPage(status: Status): string {
  const groups = groupKinds(status);
  const linksOf = (names: string[]) =>
    names.map((name) => `[${name}](kinds/${name}.md)`).join(', ') || 'none';
  const rows = Object.entries(groups).map(([support, names]) => [
    meanings[support as Support],
    `${names.length}`,
    linksOf(names),
  ]);
  const facts = status.facts.map(({ id, statement, confidence, source }) => [
    id,
    statement,
    confidence,
    source.replaceAll(/[<>]/g, ''),
  ]);
  return (
    opened('Status', 'Which kinds real accounts have confirmed, and the facts behind the others.') +
    '\nThis project has no account of its own. `trueup doctor --report FILE` writes what your account shows, without values, names and ids; such files make this page better.\n' +
    sections([
      ['Kinds', table(['How their behaviour is known', 'Kinds', 'Which'], rows)],
      ['Facts about the platform', table(['Fact', 'Statement', 'Confidence', 'Source'], facts)],
    ])
  );
}
