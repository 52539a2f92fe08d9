import { useRouter, useRouterState } from '@tanstack/react-router'

/** Named values to put into the address; one of null leaves it. */
type AddressChange = Record<string, string | null>

/**
 * Query parameters of the address, so that a link shows what its sender saw. `push` is a step that the back button
 * undoes, `replace` is none.
 */
export function useAddress() {
  const router = useRouter()
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const hrefWith = (change: AddressChange) => {
    const params = new URLSearchParams(search)
    for (const [name, value] of Object.entries(change)) {
      if (value === null) params.delete(name)
      else params.set(name, value)
    }
    return params.size === 0 ? path : `${path}?${params}`
  }
  return {
    params: new URLSearchParams(search),
    push: (change: AddressChange) => router.history.push(hrefWith(change)),
    replace: (change: AddressChange) => router.history.replace(hrefWith(change)),
  }
}

/** Which tab the address names, else the first. */
export function useTab<Key extends string>(first: Key, ...others: readonly Key[]) {
  const { params, replace } = useAddress()
  const selected = others.find((key) => key === params.get('aba')) ?? first
  return { selected, onSelect: (key: Key) => replace({ aba: key === first ? null : key }) }
}
