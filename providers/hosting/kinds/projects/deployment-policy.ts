import * as z from 'zod';
import { type ApiObject, asksForWrite, atomic, type Change, defineKind, mayIdentify } from '#kind';
import { refusesMore } from '../lost-access.ts';
import { policyEnvironment, policyOrigin, policyRepository } from '../policy-rules.ts';
import { projectIn } from './project-answer.ts';

const environment = () => policyEnvironment(mayIdentify('customEnvironment', z.string().min(1)));

/** Describes rules that say which sources may deploy to which environments. */
const rulesFor = (source: z.ZodType, doc: string) =>
  atomic(
    z.array(
      z.strictObject({
        enabled: z.boolean().describe('Whether the rule applies.'),
        environments: z.array(environment()).describe('The environments that it is about.'),
        sources: z.array(source).describe('The sources that may deploy to them.'),
      }),
    ),
  )
    .nullable()
    .optional()
    .describe(doc);

/** The rules of a policy, by what they are about. */
const lists = ['gitSources', 'deploymentSources'];

/**
 * True if a change of the policy may stop a source that could deploy, so that the user has to permit it. A deletion counts, since the
 * policy of the team may be stricter.
 */
function takesAway({ action, before, after, fields }: Change): boolean {
  if (action === 'delete') return true;
  const isSent = (name: string) =>
    action === 'create' || fields.some((field) => field.path === name && asksForWrite(field));
  return lists.some((name) => isSent(name) && refusesMore(before?.fields[name], after?.fields[name]));
}

/** The sources that may deploy to the environments of a project. A list that a request leaves out falls back to the policy of the team. */
export const deploymentPolicy = defineKind({
  name: 'deploymentPolicy',
  doc: "Which sources may deploy to which environments of a project, instead of the team's policy.",
  section: 'deploymentPolicy',
  parent: 'project',
  key: [],
  lifecycle: { asks: { 'remove-access': takesAway } },
  fields: () => ({
    gitSources: rulesFor(
      policyRepository(),
      "The Git repositories that may deploy, one rule for each environment; null for the team's policy.",
    ),
    deploymentSources: rulesFor(
      policyOrigin(),
      "The ways to deploy, one rule for each environment; null for the team's policy.",
    ),
  }),
  example: {
    deploymentSources: [
      { enabled: true, environments: [{ type: 'system', target: 'production' }], sources: ['git'] },
    ],
  },
  rules: {
    grade: () => ({
      grade: 'disruptive',
      reason: 'deployments from other sources are refused, or allowed again',
    }),
  },
  read: {
    endpoint: 'GET /v9/projects/{project}',
    item: (answer) => (projectIn(answer).deploymentPolicy as ApiObject | null) ?? undefined,
  },
  encode: (fields) => ({ deploymentPolicy: fields }),
  create: 'PATCH /v9/projects/{project}',
  update: { endpoint: 'PATCH /v9/projects/{project}', sends: 'whole' },
  delete: { endpoint: 'PATCH /v9/projects/{project}', body: () => ({ deploymentPolicy: null }) },
});
