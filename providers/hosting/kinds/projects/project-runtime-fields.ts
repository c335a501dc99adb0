import * as z from 'zod';
import { openEnum, readMayLack, updateOnly, withTraits } from '#kind';

const flag = () => z.boolean().optional();

/** The fields of the runtime that a project runs on. */
export const runtimeFields = () => ({
  serverlessFunctionRegion: readMayLack(z.string().nullable())
    .optional()
    .describe('The region in which functions run, such as `fra1`.'),
  serverlessFunctionZeroConfigFailover: flag().describe(
    'Whether functions move to other regions when theirs fails.',
  ),
  resourceConfig: z
    .strictObject({
      fluid: flag().describe('Whether functions serve several requests at once (fluid compute).'),
      functionDefaultRegions: withTraits(z.array(z.string()), { unordered: true })
        .optional()
        .describe('The regions in which functions run unless they name their own.'),
      functionDefaultTimeout: z
        .number()
        .optional()
        .describe('How long a function may run unless it says so itself, in seconds.'),
      functionDefaultMemoryType: openEnum(['standard_legacy', 'standard', 'performance', 'performance_xl'])
        .optional()
        .describe('The memory and CPU of functions unless they name their own.'),
      functionZeroConfigFailover: flag().describe(
        'Whether functions move to other regions when theirs fails.',
      ),
      elasticConcurrencyEnabled: flag().describe(
        'Whether builds may start beyond the reserved concurrency, on demand.',
      ),
      // `elastic` is asked for as a machine type, and read back as a selection whose machine drifts by itself.
      buildMachineType: openEnum(['basic', 'enhanced', 'standard', 'turbo', 'elastic'])
        .optional()
        .describe('The size of the build machine; `elastic` lets the platform choose it.'),
      buildQueue: z
        .strictObject({
          configuration: z.string().describe('`SKIP_NAMESPACE_QUEUE` or `WAIT_FOR_NAMESPACE_QUEUE`.'),
        })
        .optional()
        .describe('How builds of one branch wait for each other.'),
      isNSNBDisabled: flag().describe('Whether the check that commits come from members of the team is off.'),
      enableFunctionsBeta: flag().describe('Whether functions use the beta runtime.'),
    })
    .optional()
    .describe('The resources that builds and functions get.'),
  sandbox: z
    .strictObject({
      region: z.string().optional().describe('The region, such as `iad1`.'),
      failoverRegions: z
        .array(z.string())
        .optional()
        .describe('Regions to use, in this order, when it fails.'),
    })
    .optional()
    .describe('Where sandboxes of the project run.'),
  oidcTokenConfig: z
    .strictObject({
      enabled: flag().describe('Whether tokens are issued; the default is true.'),
      issuerMode: openEnum(['team', 'global'])
        .optional()
        .describe('Whose issuer signs the tokens; the default is `team`.'),
    })
    .optional()
    .describe('OIDC tokens by which builds and functions authenticate elsewhere.'),
  staticIps: updateOnly(z.strictObject({ enabled: z.boolean().describe('Whether they are used.') }))
    .optional()
    .describe('Static addresses for outgoing connections.'),
  enableExternalRewriteCaching: updateOnly(z.boolean())
    .optional()
    .describe('Whether answers of external rewrites are cached.'),
  directoryListing: updateOnly(z.boolean())
    .optional()
    .describe('Whether a folder without an index page shows its files.'),
  skewProtectionBoundaryAt: updateOnly(z.int())
    .optional()
    .describe('Deployments made before this time, in Unix milliseconds, get no skew protection.'),
  skewProtectionMaxAge: updateOnly(z.int())
    .optional()
    .describe('How long clients are kept on the deployment that they began with, in seconds.'),
  skewProtectionAllowedDomains: updateOnly(z.array(z.string()))
    .optional()
    .describe('Other domains whose requests may take part in skew protection.'),
});
