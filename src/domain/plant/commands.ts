/** A server as it names itself, host and port, and the account that it runs as, where that is known. */
type Place = { server: string; account?: string | undefined }

const machineOf = ({ server }: Place) => server.replace(/:\d+$/, '')

/** Any one of several servers will do. */
const anyOf = (names: readonly string[]) => [...new Set(names)].toSorted().join(' ou ')

export const machinesText = (places: readonly Place[]): string => anyOf(places.map(machineOf))

/** A command to type at the server, with where and as whom: `./painel` is there in an archive and in a checkout. */
export function commandText(name: string, places: readonly Place[]): string {
  const names = places.map((place) => machineOf(place) + (place.account ? ` (conta ${place.account})` : ''))
  return `./painel ${name}, na pasta do painel ${names.length === 0 ? 'no servidor' : `em ${anyOf(names)}`}`
}
