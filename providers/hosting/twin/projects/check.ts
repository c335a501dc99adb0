import * as z from 'zod';
import type { Project } from '../account.ts';
import { type Making, type Stamped, stamped } from '../call.ts';
import { being } from '../http/list-query.ts';
import { choice } from '../http/query.ts';
import { ofProject } from '../kept.ts';
import type { Resource } from '../resource.ts';
import { strings } from '../validate.ts';

const blocks = [
  'build-start',
  'deployment-start',
  'deployment-alias',
  'deployment-promotion',
  'none',
] as const;
// A PATCH has no defaults: the SDK fills them in on its side.
const updateBody = z.strictObject({
  name: z.string().optional(),
  isRerequestable: z.boolean().optional(),
  requires: z.enum(['build-ready', 'deployment-url', 'none']).optional(),
  targets: strings.optional(),
  blocks: z.enum(blocks).optional(),
  timeout: z.number().optional(),
});
// The constants in `kind` are lost in the SDK's body; these are those of its answers.
const github = { externalCheckName: z.string(), provider: z.literal('github') };
const source = z.union([
  z.strictObject({ kind: z.literal('git-provider'), ...github }),
  z.strictObject({ kind: z.literal('webhook'), webhookId: z.string().optional() }),
  z.strictObject({ kind: z.literal('integration').optional(), externalResourceId: z.string().optional() }),
]);
const createBody = updateBody.required({ name: true }).extend({ source: source.optional() });
const seed = createBody.extend({ id: z.string().optional(), deleted: z.boolean().optional() });

/** Something that a deployment of the project has to pass. */
export interface Check extends Required<z.infer<typeof updateBody>>, Stamped {
  ownerId: string;
  projectId: string;
  source: z.infer<typeof source> & { integrationId?: string; integrationConfigurationId?: string };
  sourceKind: NonNullable<z.infer<typeof source>['kind']>;
  sourceIntegrationConfigurationId?: string;
  /** Set on a check that was deleted, and is still read (a soft deletion, SDK). It can only come from a seed. */
  deletedAt?: number;
}

declare module '../account.ts' {
  interface ProjectParts extends Keeps<'checks', Check> {}
  interface ProjectSeed extends Seeds<'checks', typeof seed> {}
}

/** A project's checks, by their ids. */
export const checks = ofProject('checks', { what: 'Check', param: 'checkId', shows: (_, check) => check });

// What a check without a source reads back as is in no source: a webhook is the one that needs no more.
function make(making: Making, body: z.infer<typeof createBody>, project: Project): Check {
  const { source = { kind: 'webhook' }, ...given } = body;
  const { kind = 'integration' } = source;
  const { id: projectId, accountId: ownerId } = project;
  const integrationConfigurationId = making.id('icfg_');
  const integration = { integrationId: making.id('oac_'), integrationConfigurationId };
  return {
    ...{ isRerequestable: false, requires: 'deployment-url', targets: [], blocks: 'deployment-alias' },
    ...{ timeout: 300, ...given, ...stamped(making, 'check_'), ownerId, projectId, sourceKind: kind },
    source: { ...source, kind, ...(kind === 'integration' && integration) } as Check['source'],
    ...(kind === 'integration' && { sourceIntegrationConfigurationId: integrationConfigurationId }),
  };
}

/** A project's checks. Two can have one name: no refusal is documented. */
export const check: Resource = {
  ...checks.kept(seed, (making, { deleted, ...body }, project) => {
    const made = make(making, body, project);
    return deleted ? { ...made, deletedAt: made.createdAt } : made;
  }),
  operations: {
    listProjectChecks: checks.list('checks', {
      where: { blocks: being('blocks', choice(blocks)) },
    }),
    createProjectCheck: checks.create({ body: createBody }, make),
    getProjectCheck: checks.read(),
    updateProjectCheck: checks.update({ body: updateBody }),
    deleteProjectCheck: checks.remove({ answer: { success: true } }),
  },
};
