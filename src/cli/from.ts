import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import type { FromOptions } from './from-file.ts';
import { fromTerraform } from './from-terraform.ts';
import { fromDnscontrol, fromZoneFile } from './from-zones.ts';
import type { Run } from './host.ts';
import { withScope } from './options.ts';

/** Adds the commands that turn files of other tools into a configuration. */
export function fromCommand(from: Command, provider: Provider, run: Run): void {
  withPlaces(from.command('terraform'))
    .argument('<state.json>', 'the state, as `terraform state pull` or `terraform show -json` prints it')
    .description('the resources that a Terraform state owns, with proof that nothing is created or sent')
    .action((file: string, options: FromOptions) => fromTerraform(provider, file, options, run));
  withPlaces(from.command('dnscontrol'))
    .argument('<file.json>', 'what `dnscontrol print-ir` prints')
    .description('the zones of a dnscontrol configuration')
    .action((file: string, options: FromOptions) => fromDnscontrol(provider, file, options, run));
  withPlaces(from.command('zonefile'))
    .argument('<file>', 'a zone file as BIND reads it (RFC 1035)')
    .description('the records of a zone file')
    .option('--zone <domain>', 'the zone, where the file does not say')
    .action((file: string, options: FromOptions) => fromZoneFile(provider, file, options, run));
}

const withPlaces = (command: Command): Command =>
  withScope(command)
    .option('--stack <name>', 'the name of the stack (default: the name of the team)')
    .option('--out-dir <folder>', 'write a file for each area (default: print one)')
    .option('--force', 'replace files that are there')
    .option('--no-plan', 'do not plan it afterwards, although there is an account');
