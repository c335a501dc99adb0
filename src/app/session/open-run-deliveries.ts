import { join } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import type { Sources } from '../../config/sources/sources.ts';
import type { Host } from '../../host.ts';
import { type Deliveries, openDeliveries } from '../../run/deliveries.ts';
import { homeFolder } from '../../stores/home-folder.ts';
import type { StackOptions } from '../stack-options.ts';

/** The run that delivers secrets. */
interface DeliveringRun {
  host: Host;
  configuration: Pick<Configuration, 'files'>;
  judgeCommand: Sources['judgeCommand'];
  say(text: string): void;
}

/**
 * Opens the deliveries of a plan: the files and programs that receive secrets which the platform shows only once. No secret may overwrite a file of
 * trueup, of the configuration or of these options. With the twin, secrets go to a folder in `.trueup` instead.
 */
export function openRunDeliveries(
  planned: Parameters<typeof openDeliveries>[0],
  { host, configuration, judgeCommand, say }: DeliveringRun,
  { twin, varFile = [], tokenFile, ledger }: Pick<StackOptions, 'twin' | 'varFile' | 'tokenFile' | 'ledger'>,
): Deliveries {
  const optionFiles = [...varFile, tokenFile, ledger].filter((file) => file !== undefined);
  return openDeliveries(planned, {
    cwd: host.cwd,
    env: host.env,
    judgeCommand,
    reserved: [homeFolder, ...configuration.files, ...optionFiles],
    twinFolder: twin ? join(homeFolder, 'twin', 'secrets') : undefined,
    say,
  });
}
