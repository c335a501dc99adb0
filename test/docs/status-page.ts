import type { Fact } from '../../src/kind/evidence.ts';
import type { Kind } from '../../src/kind/kind.ts';
import type { RuleBasis } from '../../src/model/rehearsal.ts';
import { opened, sections, table } from './markdown.ts';

/** The part of a report of `trueup doctor` that says which kinds an account has confirmed. */
export interface KindReport {
  kinds: { kind: string; result: string }[];
}

/** How the behaviour of a kind is known, best first. */
type Support = 'accounts' | RuleBasis;

/** Returns how the behaviour of a kind is known: from a report of a real account, or as its manual page says. */
function supportOf(kind: Kind, { reports, basisOf }: Status): Support {
  const isConfirmed = reports.some(({ kinds }) =>
    kinds.some((finding) => finding.kind === kind.name && finding.result === 'fits'),
  );
  return isConfirmed ? 'accounts' : basisOf(kind);
}

const meanings: Record<Support, string> = {
  accounts: 'confirmed by a report of `trueup doctor` about a real account',
  documented: 'rules about their changes come from the documentation',
  measured: 'rules about their changes come from measurements that others published',
  inferred: 'known from the published API, and tried only on the twin',
};

/** The kinds, with the facts and reports about their behaviour, for the page and for README.md. */
export interface Status {
  kinds: readonly Kind[];
  facts: readonly Fact[];
  /** The reports of real accounts. */
  reports: readonly KindReport[];
  /** Returns how the twin's rules of a kind are known. */
  basisOf(kind: Kind): RuleBasis;
}

/** Returns the names of the kinds by how their behaviour is known. */
function groupKinds(status: Status): Record<Support, string[]> {
  const groups: Record<Support, string[]> = { accounts: [], documented: [], measured: [], inferred: [] };
  for (const kind of status.kinds) groups[supportOf(kind, status)].push(kind.name);
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
