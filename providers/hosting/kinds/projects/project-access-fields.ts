import * as z from 'zod';
import { atomic, mayIdentify, openEnum, safeguard, updateOnly, withTraits } from '#kind';
import { passwordProtection, protectedDeployments, ssoProtection } from '../protected-deployments.ts';
import { trustedSources } from './project-trusted-sources.ts';

const flagOrNull = () => z.boolean().nullable().optional();

/** Describes the fields that decide who may see a project. */
export const accessFields = () => ({
  ssoProtection: ssoProtection()
    .nullable()
    .optional()
    .describe('Access for members of the team only; null disables it.'),
  passwordProtection: updateOnly(passwordProtection())
    .nullable()
    .optional()
    .describe('Access with a password only; null disables it.'),
  trustedIps: updateOnly(
    atomic(
      z.strictObject({
        deploymentType: openEnum([...protectedDeployments, 'production']).describe(
          'The deployments that are protected.',
        ),
        addresses: z
          .array(
            z.strictObject({
              value: z.string().describe('An IP address or range.'),
              note: z.string().optional().describe('A note.'),
            }),
          )
          .describe('The addresses with access.'),
        protectionMode: openEnum(['exclusive', 'additional']).describe(
          '`exclusive`: only these addresses have access; `additional`: these pass without further protection.',
        ),
      }),
    ),
  )
    .nullable()
    .optional()
    .describe('Access by IP address; null disables it.'),
  optionsAllowlist: updateOnly(
    atomic(
      z.strictObject({
        paths: z
          .array(z.strictObject({ value: z.string().describe('A path.') }))
          .describe('The paths, including everything below them.'),
      }),
    ),
  )
    .nullable()
    .optional()
    .describe('Paths whose OPTIONS requests (CORS preflights) pass every protection; null for none.'),
  trustedSources: trustedSources(),
  passport: updateOnly(
    z.strictObject({
      connectorId: mayIdentify('connector', z.string().min(1)).describe(
        'The connector that visitors sign in with, by its id: `${connectors.NAME.id}`.',
      ),
      deploymentType: openEnum(protectedDeployments).optional().describe('The deployments that require it.'),
    }),
  )
    .nullable()
    .optional()
    .describe('Sign-in with a connector for visitors; null disables it. Needs an Enterprise plan.'),
  gitForkProtection: safeguard(updateOnly(z.boolean()))
    .optional()
    .describe('Whether pull requests from forks must be authorized before they are deployed.'),
  protectedSourcemaps: withTraits(updateOnly(z.boolean()), {
    insteadOf: {
      publicSource: 'the platform retired `publicSource` in June 2026 and refuses it: remove this key',
    },
  })
    .optional()
    .describe('Whether only authenticated users can read source maps.'),
  customerSupportCodeVisibility: updateOnly(z.boolean())
    .optional()
    .describe("Whether the platform's support may see the source of deployments."),
  enablePreviewFeedback: flagOrNull().describe(
    "Whether preview deployments show the comment toolbar; null for the team's default.",
  ),
  enableProductionFeedback: flagOrNull().describe(
    "Whether production deployments show the comment toolbar; null for the team's default.",
  ),
});
