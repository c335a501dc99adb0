import * as z from 'zod';
import { atomic, openEnum, readMayLack, updateOnly, withTraits } from '#kind';
import { domainName } from '../domains/host-name.ts';

const flag = () => z.boolean().optional();

/** Describes how the requests of a project are traced. How it relates to the kind `tracingConfig` is not known. */
const tracing = () =>
  updateOnly(
    atomic(
      z.strictObject({
        domains: z.string().optional().describe('The domains whose requests carry the trace.'),
        ignorePaths: z.array(z.string()).optional().describe('Paths without traces.'),
        samplingRules: z
          .array(
            z.strictObject({
              rate: z.number().describe('The share of traces to keep.'),
              env: openEnum(['production', 'preview']).optional().describe('The environment.'),
              requestPath: z.string().optional().describe('The path of requests.'),
              destination: openEnum(['internal', 'external']).optional().describe('Where the traces go.'),
            }),
          )
          .optional()
          .describe('Which traces are kept.'),
      }),
    ),
  )
    .nullable()
    .optional()
    .describe('How requests are traced; null for the default. See also `tracingConfig`.');

/** Describes the fields of the runtime that a project runs on. */
export const runtimeFields = () => ({
  serverlessFunctionRegion: readMayLack(z.string().nullable())
    .optional()
    .describe('The region in which functions run, such as `fra1`.'),
  serverlessFunctionZeroConfigFailover: flag().describe('Whether functions fail over to other regions.'),
  resourceConfig: z
    .strictObject({
      fluid: flag().describe('Whether functions serve several requests at once (fluid compute).'),
      functionDefaultRegions: withTraits(z.array(z.string()), { unordered: true })
        .optional()
        .describe('The default regions of functions.'),
      functionDefaultTimeout: z
        .number()
        .optional()
        .describe('The default maximum duration of a function, in seconds.'),
      functionDefaultMemoryType: openEnum(['standard_legacy', 'standard', 'performance', 'performance_xl'])
        .optional()
        .describe('The default memory and CPU of functions.'),
      functionZeroConfigFailover: flag().describe('Whether functions fail over to other regions.'),
      elasticConcurrencyEnabled: flag().describe(
        'Whether builds may start beyond the reserved concurrency, on demand.',
      ),
      // `elastic` is sent as a machine type, and read back as a selection whose machine changes without a write.
      buildMachineType: openEnum(['basic', 'enhanced', 'standard', 'turbo', 'elastic'])
        .optional()
        .describe('The size of the build machine; `elastic` lets the platform choose it.'),
      buildQueue: z
        .strictObject({
          configuration: z.string().describe('`SKIP_NAMESPACE_QUEUE` or `WAIT_FOR_NAMESPACE_QUEUE`.'),
        })
        .optional()
        .describe('How builds of the same branch are queued.'),
      isNSNBDisabled: flag().describe('Whether to skip the check that commits come from team members.'),
      enableFunctionsBeta: flag().describe('Whether functions use the beta runtime.'),
    })
    .optional()
    .describe('Resources of builds and functions.'),
  tracing: tracing(),
  sandbox: z
    .strictObject({
      region: z.string().optional().describe('The region, such as `iad1`.'),
      failoverRegions: z.array(z.string()).optional().describe('Failover regions, in order.'),
    })
    .optional()
    .describe('Where sandboxes of the project run.'),
  oidcTokenConfig: z
    .strictObject({
      enabled: flag().describe('Whether tokens are issued; true by default.'),
      issuerMode: openEnum(['team', 'global'])
        .optional()
        .describe('Which issuer signs the tokens; `team` by default.'),
    })
    .optional()
    .describe('OIDC tokens that builds and functions use to authenticate elsewhere.'),
  staticIps: updateOnly(z.strictObject({ enabled: z.boolean().describe('Whether they are enabled.') }))
    .optional()
    .describe('Static addresses for outgoing connections.'),
  enableExternalRewriteCaching: updateOnly(z.boolean())
    .optional()
    .describe('Whether responses of external rewrites are cached.'),
  directoryListing: updateOnly(z.boolean())
    .optional()
    .describe('Whether folders without an index page list their files.'),
  skewProtectionBoundaryAt: updateOnly(z.int())
    .optional()
    .describe('Deployments made before this time, in Unix milliseconds, get no skew protection.'),
  skewProtectionMaxAge: updateOnly(z.int())
    .optional()
    .describe('How long clients stay on the deployment they started with, in seconds.'),
  skewProtectionAllowedDomains: updateOnly(z.array(domainName()))
    .optional()
    .describe('Other domains whose requests may take part in skew protection.'),
});
