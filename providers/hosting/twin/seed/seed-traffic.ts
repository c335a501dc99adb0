import * as z from 'zod';
import type { Project } from '../account.ts';
import { mergeRedirects } from '../projects/bulk-redirects.ts';
import { bulkRedirect } from '../projects/bulk-redirects-body.ts';
import { storedRedirect } from '../projects/bulk-redirects-read.ts';
import { generateBypass, promoteBypass } from '../projects/protection-bypass.ts';
import { rollingReleaseBody, setRollingRelease } from '../projects/rolling-release.ts';
import { routeRule } from '../projects/routes-body.ts';
import { checkDistinct, compileRule, type RoutingRule } from '../projects/routing-rule.ts';
import { liveVersion, makeLive, stage } from '../projects/staged-versions.ts';
import { parseBody } from '../validate.ts';
import { attempt, type Loading, type making } from './seed-loading.ts';

const bypass = z.strictObject({
  secret: z.string().optional(),
  note: z.string().optional(),
  isEnvVar: z.boolean().optional(),
  /** Both make it an integration's own bypass, which has neither note nor isEnvVar. */
  integrationId: z.string().optional(),
  configurationId: z.string().optional(),
});
const rule = routeRule.extend({ id: z.string().optional() });

/** What of a project's traffic a seed can say. The staged lists are whole, as they would be after a promotion. */
export const trafficFields = {
  /** When the attack mode ends, in epoch milliseconds; it is on until then. */
  attackMode: z.strictObject({ activeUntil: z.number() }).optional(),
  rollingRelease: z
    .strictObject(rollingReleaseBody.shape)
    .omit({ enabled: true })
    .required({ advancementType: true })
    .optional(),
  protectionBypasses: z.array(bypass).optional(),
  bulkRedirects: z.array(bulkRedirect).optional(),
  stagedBulkRedirects: z.array(bulkRedirect).optional(),
  routes: z.array(rule).optional(),
  stagedRoutes: z.array(rule).optional(),
};
const traffic = z.object(trafficFields);
export type SeedTraffic = z.infer<typeof traffic>;

type Making = ReturnType<typeof making>;

/** Parts a project's seed in its traffic settings and the rest. */
export function takeTraffic<T extends SeedTraffic>(seed: T) {
  const rest = { ...seed };
  for (const field of Object.keys(trafficFields) as (keyof SeedTraffic)[]) delete rest[field];
  return { traffic: seed as SeedTraffic, rest: rest as Omit<T, keyof SeedTraffic> };
}

function loadBypass(make: Making, project: Project, seed: z.infer<typeof bypass>): void {
  project.protectionBypass ??= {};
  const bypasses = project.protectionBypass;
  const { secret, note, isEnvVar, integrationId, configurationId } = seed;
  if (integrationId === undefined && configurationId === undefined) {
    const added = generateBypass(make, bypasses, { secret, note });
    if (isEnvVar === true) promoteBypass(bypasses, added);
    return;
  }
  bypasses[secret ?? make.id('', 32)] = {
    scope: 'integration-automation-bypass',
    createdAt: make.time(),
    createdBy: make.account.user.id,
    integrationId: integrationId ?? make.id('oac_', 24),
    configurationId: configurationId ?? make.id('icfg_', 24),
  };
}

// A staged rule is the live one of its name, changed or not.
function compiled(
  make: Making,
  project: Project,
  seeds: z.infer<typeof rule>[],
  toStage: boolean,
): RoutingRule[] {
  const live = liveVersion(project.routes)?.items ?? [];
  const rules = seeds.map(({ id, ...written }) => {
    const same = live.find((one) => one.name === written.name);
    const staged = toStage && same === undefined;
    return compileRule(written, { id: id ?? same?.id ?? make.id('route_', 24), staged });
  });
  checkDistinct(rules);
  return rules;
}

/** Adds the traffic settings of a seed to its project; problems are noted with their place. */
export function loadTraffic(
  loading: Loading,
  make: Making,
  project: Project,
  seed: SeedTraffic,
  place: string,
): void {
  const load = <T>(field: string, value: T | undefined, into: (value: T) => void) => {
    if (value !== undefined) attempt(loading, `${place}.${field}`, () => into(value));
  };
  load('attackMode', seed.attackMode, ({ activeUntil }) => {
    project.attackMode = { enabled: true, activeUntil, updatedAt: make.time() };
  });
  load('rollingRelease', seed.rollingRelease, (given) => {
    const body = parseBody(rollingReleaseBody, { enabled: true, ...given });
    setRollingRelease(project, body, make.switches);
  });
  for (const [i, one] of (seed.protectionBypasses ?? []).entries()) {
    load(`protectionBypasses[${i}]`, one, (given) => loadBypass(make, project, given));
  }
  load('bulkRedirects', seed.bulkRedirects, (list) => {
    const items = mergeRedirects([], list.map(storedRedirect));
    makeLive(make, project.bulkRedirects, stage(make, project.bulkRedirects, items));
  });
  load('stagedBulkRedirects', seed.stagedBulkRedirects, (list) => {
    stage(make, project.bulkRedirects, mergeRedirects([], list.map(storedRedirect)));
  });
  load('routes', seed.routes, (list) => {
    makeLive(make, project.routes, stage(make, project.routes, compiled(make, project, list, false)));
  });
  load('stagedRoutes', seed.stagedRoutes, (list) => {
    stage(make, project.routes, compiled(make, project, list, true));
  });
}
