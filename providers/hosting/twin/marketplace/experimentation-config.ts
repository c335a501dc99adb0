import * as z from 'zod';
import { Answer, type Call } from '../call.ts';
import { notFound } from '../errors.ts';
import { operation, type Resource } from '../resource.ts';
import { resourceOf, setConfig } from './marketplace-resource.ts';

/** Returns the values that deployments read of a partner's resource. Throws 404 if none were ever written. */
function configOf(call: Call) {
  const { config } = resourceOf(call);
  if (config === undefined) throw notFound('Config');
  return config;
}

/** Returns the operation that reads the config of a resource, for GET and for HEAD. */
const read = () =>
  operation({ on: configOf }, (_, config) => new Answer(200, config, { etag: `"${config.digest}"` }));

/** The config of a resource. A write replaces all of it. */
export const experimentationConfig: Resource = {
  operations: {
    getInstallationsByIntegrationConfigurationIdResourcesByResourceIdExperimentationGlobalConfig: read(),
    headInstallationsByIntegrationConfigurationIdResourcesByResourceIdExperimentationGlobalConfig: read(),
    replaceInstallationsByIntegrationConfigurationIdResourcesByResourceIdExperimentationGlobalConfig:
      operation(
        {
          on: resourceOf,
          body: z.strictObject({ data: z.record(z.string(), z.unknown()) }),
        },
        (call, marketplaceResource, { data }) => setConfig(call, marketplaceResource, data),
      ),
  },
};
