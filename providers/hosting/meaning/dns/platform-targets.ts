/**
 * Hosts and addresses of the platform. Only those with a source: an address that is not here can still be the platform's.
 *
 *   | target                            | source                                                                                     |
 *   | --------------------------------- | ------------------------------------------------------------------------------------------ |
 *   | cname.vercel-dns.com              | StackExchange/dnscontrol, documentation/provider/vercel.md; vercel/docs#1853               |
 *   | cname-china.vercel-dns.com        | felixonmars/dnsmasq-china-list#369 (its own address for China)                             |
 *   | cname.vercel-dns-0.com            | documentation: Working with DNS; Setting up a custom domain                                |
 *   | NAME.vercel-dns-017.com and alike | documentation: Adding & configuring a custom domain; vercel/vercel#15945                   |
 *   | alias.zeit.co                     | vercel/docs#1853 (still supported)                                                         |
 *   | NAME.vercel.app                   | PF28 (each project has one)                                                                |
 *   | 76.76.21.21                       | documentation: Working with DNS; Setting up a custom domain                                |
 *   | 216.198.79.1                      | is-a-dev/docs#104; is-a-dev/register#39647 (what the platform recommends now)              |
 *
 * Its nameservers are ns1.vercel-dns.com and alike, formerly a.zeit.world and alike.
 */
const hosts = /(^cname(-china)?\.vercel-dns|\.vercel-dns-\d+)\.com$|^alias\.zeit\.co$|\.vercel\.app$/;
const addresses = new Set(['76.76.21.21', '216.198.79.1']);

/** True if a host is known to be the platform's. `name`: in lower case, without a final dot. False proves nothing. */
export const isPlatformHost = (name: string): boolean => hosts.test(name);

/** True if an IPv4 address is known to be the platform's. False proves nothing. */
export const isPlatformAddress = (address: string): boolean => addresses.has(address.trim());

/** True if a nameserver is known to be the platform's. `name`: in lower case, without a final dot. */
export const isPlatformNameserver = (name: string): boolean => /\.(vercel-dns\.com|zeit\.world)$/.test(name);
