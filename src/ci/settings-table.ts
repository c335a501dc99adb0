import { listed } from '../report/count.ts';
import type { CiNeeds, CiRepository, CiSecret } from './repository.ts';

/** A secret or a variable to be set, where, and what it is. */
export type Setting = readonly [name: string, where: string, about: string];

const jobsOfMain = 'plan-main, production';

/** The settings of the environments of any host; `nameOf` is the host's name for a variable of the environment. */
export const secretSettings = (
  { secrets }: CiRepository,
  { accounts }: CiNeeds,
  nameOf: (secret: CiSecret) => string,
): Setting[] => [
  ['TRUEUP_TOKEN', 'plan', `a read-only token${reach(accounts)}`],
  ['TRUEUP_TOKEN', jobsOfMain, 'one with write access'],
  ['TRUEUP_LEDGER_KEY', jobsOfMain, '`trueup ledger key --print` creates it; keep a copy somewhere safe'],
  ...secrets.map((secret) => [nameOf(secret), jobsOfMain, `the secret ${secret.name}`] as const),
];

const reach = (accounts: string[]): string =>
  accounts.length > 1 ? `; it has to reach ${listed(accounts)}` : `, for ${accounts.join()}`;

/** Each setting as a line of a table. No line is for a shell: names of a configuration are in them. */
export function settingLines(settings: readonly Setting[]): string[] {
  const widths = [0, 1].map((column) => Math.max(...settings.map((one) => one[column]!.length)));
  return settings.map(
    ([name, where, about]) => `  ${name.padEnd(widths[0]!)}  ${where.padEnd(widths[1]!)}  ${about}`,
  );
}
