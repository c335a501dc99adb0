import * as z from 'zod';
import type { Making, Stamped } from '../call.ts';
import { being } from '../http/list-query.ts';
import { ofProject } from '../kept.ts';
import { changesOf, strings } from '../validate.ts';

const phase = z.enum(['build-start', 'deployment-start', 'deployment-alias', 'deployment-promotion', 'none']);
// The SDK's body lacks the constants of `kind`; these are from its answers. No documentation says what a check without a `source` reads
// back as; it is a webhook here, because that needs no other member.
const github = { externalCheckName: z.string(), provider: z.literal('github') };
const source = z.union([
  z.strictObject({ kind: z.literal('git-provider'), ...github }),
  z.strictObject({ kind: z.literal('webhook'), webhookId: z.string().optional() }),
  z.strictObject({ kind: z.literal('integration').optional(), externalResourceId: z.string().optional() }),
]);
const createBody = z.strictObject({
  name: z.string(),
  isRerequestable: z.boolean().default(false),
  requires: z.enum(['build-ready', 'deployment-url', 'none']).default('deployment-url'),
  targets: strings.default([]),
  blocks: phase.default('deployment-alias'),
  timeout: z.number().default(300),
  source: source.default({ kind: 'webhook' }),
});
// The SDK itself adds the default values to a change; the schema has none.
const updateBody = changesOf(createBody.omit({ source: true }));
// According to the SDK, a deleted check is still read, with `deletedAt`.
const seed = createBody.extend({ id: z.string().optional(), deletedAt: z.number().optional() });

/** A condition that deployments of the project have to pass. */
export type Check = Stamped & ReturnType<typeof make>;

declare module '../account.ts' {
  interface ProjectParts extends Keeps<'checks', Check> {}
  interface ProjectSeed extends Seeds<'checks', typeof seed> {}
}

/** A project's checks, by their ids. */
export const checks = ofProject('checks', {
  ...{ what: 'Check', prefix: 'check_', param: 'checkId' },
  shows: (_, check, { id: projectId, accountId: ownerId }) => ({ ...check, ownerId, projectId }),
});

/** Returns a check as it is stored: that of an integration gets the ids that the platform adds to its source. */
function make(making: Making, { source, ...body }: z.infer<typeof seed>) {
  const { kind = 'integration' } = source;
  const [configuration, integrationId] = [making.id('icfg_'), making.id('oac_')];
  const storedSource = { ...source, kind, integrationId, integrationConfigurationId: configuration };
  return kind === 'integration'
    ? { ...body, source: storedSource, sourceKind: kind, sourceIntegrationConfigurationId: configuration }
    : { ...body, source: { ...source, kind }, sourceKind: kind };
}

/** A project's checks. Two can have the same name: no source documents a refusal. */
export const check = checks.resource(seed, make, {
  listProjectChecks: checks.list('checks', { where: { blocks: being('blocks', phase.optional()) } }),
  createProjectCheck: checks.create({ body: createBody }, make),
  getProjectCheck: checks.read(),
  updateProjectCheck: checks.update({ body: updateBody }),
  deleteProjectCheck: checks.remove({ answer: { success: true } }),
});
