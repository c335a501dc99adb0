import * as z from 'zod';
import { type ApiObject, type Fields, openEnum, safeguard, setOf } from '#kind';
import { policyEnvironment, policyOrigin, policyRepository } from '../policy-rules.ts';
import { passwordProtection, protectedDeployments, ssoProtection } from '../protected-deployments.ts';
import { retentionMembers, retentionWord, retentionWords } from '../retention.ts';

const shorter = retentionWords.filter((word) => word !== '2y' && word !== '3y');

/**
 * Returns for how long new projects keep deployments, in the platform's words (`3m`). The answer has days; a number
 * without a word is left out, because it could not be written again.
 */
export const expirationOf = ({ defaultExpirationSettings: expirations }: ApiObject): Fields => {
  if (typeof expirations !== 'object' || expirations === null) return {};
  const settings = Object.entries(retentionMembers).flatMap(([name, member]) => {
    const word = retentionWord((expirations as Record<string, unknown>)[member]);
    return word === undefined ? [] : [[name, word]];
  });
  return { defaultExpirationSettings: Object.fromEntries(settings) };
};

/** Rules, one for each set of environments; one that is enabled and has no sources refuses everything. */
const rules = <T extends z.ZodType>(source: T) =>
  setOf(
    z.strictObject({
      enabled: z.boolean(),
      environments: setOf(policyEnvironment(z.string().min(1))),
      sources: setOf(source),
    }),
  );

/** A check of the code that new projects run before they deploy. */
const job = () =>
  z.strictObject({
    targets: setOf(z.string().min(1)).describe('Where it must pass: `production`, `preview`.'),
  });

/** Describes the settings of a team that are defaults for its projects. */
export const teamDefaults = () => ({
  defaultPassport: z
    .strictObject({
      connectorId: z.string().min(1).describe('The connector that visitors sign in with, by its id.'),
      deploymentType: openEnum(protectedDeployments).optional().describe('The deployments that require it.'),
    })
    .nullable()
    .optional()
    .describe('The sign-in required by deployments of new projects; null for none.'),
  defaultDeploymentProtection: safeguard(
    z.strictObject({
      ssoProtection: ssoProtection()
        .nullable()
        .optional()
        .describe('Access for members of the team only; null disables it.'),
      passwordProtection: passwordProtection()
        .nullable()
        .optional()
        .describe('Access with a password only; null disables it.'),
    }),
  )
    .optional()
    .describe('Who may see the deployments of new projects.'),
  defaultProjectJobs: z
    .strictObject({
      lint: job().optional().describe('The linter.'),
      typecheck: job().optional().describe('The check of types.'),
    })
    .optional()
    .describe('The code checks of new projects.'),
  defaultExpirationSettings: z
    .strictObject({
      expiration: openEnum(retentionWords).optional().describe('Deployments that are not in production.'),
      expirationProduction: openEnum(retentionWords).optional().describe('Deployments of production.'),
      expirationCanceled: openEnum(shorter).optional().describe('Deployments that were canceled.'),
      expirationErrored: openEnum(shorter).optional().describe('Deployments that failed.'),
    })
    .optional()
    .describe('How long new projects keep deployments: `1w`, `3m`, `1y`, `unlimited`.'),
  deploymentPolicy: safeguard(
    z.strictObject({
      gitSources: rules(policyRepository())
        .optional()
        .describe('The repositories that may be deployed, by environment.'),
      deploymentSources: rules(policyOrigin())
        .optional()
        .describe('Where deployments may come from, by environment.'),
    }),
  )
    .optional()
    .describe('The deployments that are allowed in all projects of the team; a project can override it.'),
});
