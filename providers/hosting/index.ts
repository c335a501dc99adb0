import { type Provider, raise } from '#kind';
import { kinds } from './kinds/index.ts';
import { lookups } from './lookups.ts';
import type { FaultPlan, Seed } from './twin/index.ts';

// Half of the program, and most commands go without it.
const loadTwin = () => import('./twin/index.ts');

/** The hosting platform. */
export const hosting: Provider = {
  name: 'hosting',
  baseUrl: 'https://api.vercel.com',
  kinds,
  operations: async () => {
    const [{ catalog }, { instead }] = await Promise.all([import('./catalog.ts'), import('./instead.ts')]);
    return catalog.map((operation) => {
      const replacement = instead[`${operation.method} ${operation.path}` as keyof typeof instead];
      return replacement ? { ...operation, instead: replacement } : operation;
    });
  },
  extraOperations: async () => (await import('./extra-operations.ts')).extraOperations,
  actionsAndLookups: async () => (await import('./day-two.ts')).actionsAndLookups,
  foreignFiles: async () => (await import('./foreign/index.ts')).foreignFiles,
  evidence: async () => (await import('./evidence.ts')).evidence,
  meaning: async () => (await import('./meaning/index.ts')).meaning,
  lookups: Object.values(lookups),
  connect: async ({ clock, ...options }) =>
    (await import('./connect.ts')).connect(options, clock ? { clock } : {}),
  pace: async (owner) => {
    const { billingPlanOf, paceOf } = await import('./limits/pace.ts');
    return paceOf(owner && billingPlanOf(owner.facts));
  },
  startTwin: async ({ seed, faults, ...settings }) => {
    const { FaultPlanError, SeedError, startTwin } = await loadTwin();
    try {
      const twin = await startTwin({
        ...settings,
        seed: seed as Seed | undefined,
        faults: faults as FaultPlan | undefined,
      });
      return Object.assign(twin, {
        copyAccount: () => structuredClone(twin.account),
        restoreAccount: (account: object) => void Object.assign(twin.account, structuredClone(account)),
      });
    } catch (error) {
      const [code, hint] =
        error instanceof SeedError
          ? ['twin/input', 'fix the seed']
          : error instanceof FaultPlanError
            ? ['twin/input', 'fix the fault plan']
            : (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
              ? ['twin/start', 'another program uses this port: leave out --port, or name another one']
              : ['twin/start', 'if its state file is corrupt, remove it: the twin then starts fresh'];
      raise(code!, (error as Error).message, { hint });
    }
  },
  openApi: async () => {
    const { openApi, version } = await loadTwin();
    return openApi(version);
  },
  recordedSeed: async (exchanges) => (await import('./recorded/recorded-seed.ts')).recordedSeed(exchanges),
  emptyAccount: (scope) => {
    if (!('team' in scope)) return {};
    return { team: scope.team.startsWith('team_') ? { id: scope.team } : { slug: scope.team } };
  },
  emptyAccountOf: ({ type, id, slug, facts }) => {
    if (type === 'personal') return { user: { id, username: slug } };
    const { name, sensitiveEnvironmentVariablePolicy } = facts;
    return {
      team: { id, slug, name: typeof name === 'string' ? name : slug, sensitiveEnvironmentVariablePolicy },
    };
  },
};
