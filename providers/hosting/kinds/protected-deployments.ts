import * as z from 'zod';
import { openEnum, secret, withTraits } from '#kind';

/** The deployments that a protection can be for. */
export const protectedDeployments = [
  'all',
  'preview',
  'prod_deployment_urls_and_all_previews',
  'all_except_custom_domains',
];

const deploymentType = () => openEnum(protectedDeployments).describe('The deployments that are protected.');

/** Access for members of the team only. */
export const ssoProtection = () => z.strictObject({ deploymentType: deploymentType() });

/** Describes protection by a password. The platform never returns the password, so it is write-only. */
export const passwordProtection = () =>
  z.strictObject({
    deploymentType: deploymentType(),
    password: withTraits(secret(z.string()), { writeOnly: true })
      .optional()
      .describe('The password that visitors must give.'),
  });
