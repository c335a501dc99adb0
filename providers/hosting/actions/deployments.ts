import * as z from 'zod';
import { defineAction, openEnum } from '#kind';

type Json = Record<string, unknown>;

/** The member of a deployment's metadata that tells which run made it. */
const runMark = 'trueupRun';

export const redeploy = defineAction({
  name: 'redeploy',
  doc: 'Builds once more what serves a target of the project now, so that changed variables and settings take effect.',
  endpoint: 'POST /v13/deployments?forceNew=1',
  on: 'project',
  input: () => ({
    target: openEnum(['production', 'staging'])
      .default('production')
      .describe('What it is for, and whose deployment is built once more.'),
    deployment: z
      .string()
      .min(1)
      .optional()
      .describe('The id of another deployment that is built once more in its place: `dpl_...`.'),
  }),
  finds: {
    endpoint: 'GET /v9/projects/{project}',
    take: ({ name, targets }, { target, deployment }) => {
      const { id } = ((targets ?? {}) as Record<string, Json | null>)[String(target)] ?? {};
      if (deployment === undefined && id === undefined)
        return {
          nothing: `no deployment of ${name} serves ${target}, so there is nothing to build once more`,
        };
      return { values: { name, id: deployment ?? id } };
    },
  },
  // Never the newest: that may be one that failed, or that somebody rolled back from.
  body: ({ input: { target }, found: { name, id }, mark }) => ({
    ...{ deploymentId: id, name, target, meta: { [runMark]: mark } },
  }),
  grade: 'disruptive',
  why: 'visitors see it as soon as it is built',
  until: { lookup: 'deployment', input: ({ answer: { id } }) => ({ id }) },
  lost: { lookup: 'deployment', is: ({ meta }, mark) => ((meta ?? {}) as Json)[runMark] === mark },
  output: () => ({
    id: z.string().describe('The id of the new deployment.'),
    url: z.string().describe('Where it answers, without `https://`.'),
    readyState: z.string().describe('How far it is.'),
  }),
  declarable: true,
});
