import { Problems, type Provider, problem } from '#kind';
import { catalog } from './catalog.ts';
import { connect, lookups } from './connect.ts';
import { kinds } from './kinds/index.ts';
import {
  type FaultPlan,
  FaultPlanError,
  openApi,
  type Seed,
  SeedError,
  startTwin,
  version,
} from './twin/index.ts';

/** The hosting platform. */
export const hosting: Provider = {
  name: 'hosting',
  baseUrl: 'https://api.vercel.com',
  kinds,
  operations: catalog,
  lookups: Object.values(lookups),
  connect: (options) => connect(options),
  startTwin: async ({ seed, faults, ...settings }) => {
    try {
      return await startTwin({
        ...settings,
        ...(seed === undefined ? {} : { seed: seed as Seed }),
        ...(faults === undefined ? {} : { faults: faults as FaultPlan }),
      });
    } catch (error) {
      const [code, hint] =
        error instanceof SeedError
          ? ['twin/seed', 'correct the seed']
          : error instanceof FaultPlanError
            ? ['twin/faults', 'correct the fault plan']
            : ['twin/start', 'if its state file is broken, remove it: the twin then begins anew'];
      throw new Problems([problem(code!, (error as Error).message, { hint })]);
    }
  },
  openApi: () => openApi(version),
  emptyAccount: (scope) => {
    if (!('team' in scope)) return {};
    return { team: scope.team.startsWith('team_') ? { id: scope.team } : { slug: scope.team } };
  },
};
