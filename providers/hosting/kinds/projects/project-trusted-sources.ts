import * as z from 'zod';
import { atomic, updateOnly } from '#kind';

/** Describes environments of a project in a rule of its trusted sources: some by their slugs, or all custom ones. */
const environments = (doc: string) =>
  z
    .strictObject({
      slugs: z.array(z.string().min(1)).min(1).max(10).optional().describe('The slugs of environments.'),
      preset: z.literal('all-custom').optional().describe('All custom environments.'),
    })
    .refine(({ slugs, preset }) => slugs !== undefined || preset !== undefined, 'needs `slugs` or `preset`')
    .describe(doc);

const label = () => z.string().min(1).max(100).optional().describe('A name for people.');

const sourceProject = () =>
  z.strictObject({
    label: label(),
    customAllow: z
      .array(
        z.strictObject({
          from: environments('The environments of that project.'),
          to: environments('The environments of this project that they may call.'),
        }),
      )
      .min(1)
      .max(20)
      .optional()
      .describe('Which environments may call which; without it, each may call the same one here.'),
  });

const acceptedToken = () =>
  z.strictObject({
    label: label(),
    to: environments('The environments of this project that may be called.'),
    claims: z
      .record(z.string(), z.array(z.string()))
      .describe('The values that each claim may have; `aud` and claims of the issuer are needed.'),
  });

/**
 * Describes who may call the protected deployments of a project: other projects, and tokens of other issuers. The platform keys projects by
 * id, and a key cannot be an expression, so the ids stand in the YAML as they are.
 */
export const trustedSources = () =>
  updateOnly(
    atomic(
      z.strictObject({
        projects: z
          .record(z.string().min(1), sourceProject())
          .optional()
          .describe('The projects that may call, at most 100, by their ids (`prj_...`).'),
        oidcProviders: z
          .record(z.string().max(512), z.array(acceptedToken()))
          .optional()
          .describe('The tokens that may call, by the URL of their issuer.'),
        enableVercelCiSameRepository: z
          .boolean()
          .optional()
          .describe("Whether runs of the platform's CI in the same repository may call."),
      }),
    ),
  )
    .nullable()
    .optional()
    .describe('Projects and OIDC tokens that may call protected deployments; null for none.');
