import { companyStack, mixedAccount, tenResources } from '../stacks.ts';
import type { Workplace } from '../workplace.ts';

/** A run of the program that is profiled. */
export interface Work {
  name: string;
  description: string;
  yaml: string;
  /** Puts the account into the state that the run needs. Default: an empty account. */
  prepare?(place: Workplace): Promise<unknown>;
  args: string[];
  /** Microseconds between two samples. Long runs have enough samples with long intervals. */
  interval: number;
  /** How many runs the CPU profile sums up. */
  runs: number;
}

const applied = (place: Workplace) => place.apply();
const apply = ['apply', '--auto-approve', '--settle', '0'];

const short = { interval: 100, runs: 5 };
const medium = { interval: 200, runs: 3 };
const long = { interval: 1000, runs: 1 };

export const works: Work[] = [
  { name: 'version', description: '--version', yaml: tenResources, args: ['--version'], ...short },
  { name: 'help', description: '--help', yaml: tenResources, args: ['--help'], ...short },
  {
    name: 'validate-10',
    description: 'validate of 10 resources',
    yaml: tenResources,
    args: ['validate'],
    ...short,
  },
  {
    name: 'plan-10',
    description: 'plan of 10 unchanged resources',
    yaml: tenResources,
    prepare: applied,
    args: ['plan'],
    ...short,
  },
  {
    name: 'plan-875',
    description: 'plan of 875 unchanged resources',
    yaml: companyStack(),
    prepare: applied,
    args: ['plan'],
    ...medium,
  },
  {
    name: 'apply-875',
    description: 'apply of 875 new resources',
    yaml: companyStack(),
    args: apply,
    ...medium,
  },
  {
    name: 'validate-10000',
    description: 'validate of 10,000 resources',
    yaml: mixedAccount(10_000),
    args: ['validate'],
    ...long,
  },
  {
    name: 'plan-10000',
    description: 'plan of 10,000 unchanged resources',
    yaml: mixedAccount(10_000),
    prepare: applied,
    args: ['plan'],
    ...long,
  },
  {
    name: 'apply-10000',
    description: 'apply of 10,000 new resources',
    yaml: mixedAccount(10_000),
    args: apply,
    ...long,
  },
  {
    name: 'export-5000',
    description: 'export of 5,000 objects',
    yaml: mixedAccount(5000),
    prepare: applied,
    args: ['export'],
    ...long,
  },
];
