import { Download, X } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { useUser } from '../../device/credentials.ts'
import { dismissBanner, install } from '../../device/install-offer.ts'
import { BrandMark } from '../../parts/Brand.tsx'
import { useSettings } from '../../parts/settings.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { isStill } from '../../ui/motion.ts'

const SLIDE_MS = 200

/** Above everything, which moves down by `--banner-height` while its id is in the page (theme.css). */
export function InstallBanner() {
  const user = useUser()
  const banner = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (banner.current) slideDown(banner.current)
  }, [])
  return (
    <section
      ref={banner}
      id="install-banner"
      aria-label="Instalação do aplicativo"
      className="animate-appear fixed inset-x-0 top-0 z-40 flex h-(--banner-height) items-center gap-2 border-b border-line bg-brand-soft px-2 sm:gap-3 md:px-4"
    >
      <BrandMark className="hidden size-10 shrink-0 text-brand-ink sm:block" />
      <div className="min-w-0 flex-1" role="status">
        <p className="line-clamp-3 text-sm leading-tight font-semibold text-brand-ink sm:text-base">
          Instalar Painel Industrial
          {user && <PlantSuffix />}
        </p>
        <p className="hidden text-sm leading-tight md:block">Abre pelo ícone, em janela própria, também sem rede.</p>
      </div>
      <Button
        variant="primary"
        size="md"
        icon={<Download {...icon.md} className="max-sm:hidden" />}
        onPress={() => void install()}
      >
        Instalar App
      </Button>
      <IconButton label="Agora não" icon={<X {...icon.md} />} onPress={dismissBanner} />
    </section>
  )
}

/**
 * Slides the page down in sight instead of letting it jump: by `transform`, so that nothing is laid out again on the
 * way.
 */
function slideDown(banner: HTMLElement): void {
  if (isStill()) return
  const from = { transform: `translateY(-${banner.offsetHeight}px)` }
  for (const below of banner.parentElement?.children ?? []) {
    if (below === banner) continue
    below.animate([from, { transform: 'none' }], { duration: SLIDE_MS, easing: 'ease-out' })
  }
}

/** Name of the plant; a component of its own, since only a logged-in person's page knows it. */
const PlantSuffix = () => ` - ${useSettings().siteName}`
